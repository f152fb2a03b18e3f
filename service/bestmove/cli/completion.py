"""`bestmove completion`: the script for a shell's completion."""

from __future__ import annotations

import os

import click
from click.shell_completion import get_completion_class

SHELLS = ("bash", "zsh", "fish", "powershell")


@click.command()
@click.argument("shell", type=click.Choice(SHELLS), required=False, metavar="[SHELL]")
@click.pass_context
def completion(context: click.Context, shell: str | None) -> None:
    """Print the script that lets SHELL (bash, zsh, fish or powershell) complete commands.

    Without an argument, the variable $SHELL names the shell.

    \b
    echo 'eval "$(bestmove completion bash)"' >> ~/.bashrc
    echo 'eval "$(bestmove completion zsh)"' >> ~/.zshrc
    cd ~/.config/fish/completions
    bestmove completion fish > bestmove.fish
    bestmove completion powershell >> $PROFILE
    """
    name = shell or os.path.basename(os.environ.get("SHELL", ""))
    if name not in SHELLS:
        raise click.UsageError(f"name the shell: {', '.join(SHELLS)}")
    kind = get_completion_class(name)
    assert kind is not None
    click.echo(kind(context.find_root().command, {}, "bestmove", "_BESTMOVE_COMPLETE").source())
