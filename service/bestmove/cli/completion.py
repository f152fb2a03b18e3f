"""`bestmove completion`: the script that a shell completes commands with."""

from __future__ import annotations

import os

import click
from click.shell_completion import get_completion_class

SHELLS = ("bash", "zsh", "fish")


@click.command(short_help="The script for a shell's completion.")
@click.argument("shell", type=click.Choice(SHELLS), required=False)
@click.pass_context
def completion(context: click.Context, shell: str | None) -> None:
    """Print the script for the shell's completion (the shell of $SHELL unless one is named).

    \b
    bash:  echo 'eval "$(bestmove completion bash)"' >> ~/.bashrc
    zsh:   echo 'eval "$(bestmove completion zsh)"' >> ~/.zshrc
    fish:  bestmove completion fish > ~/.config/fish/completions/bestmove.fish
    """
    name = shell or os.path.basename(os.environ.get("SHELL", ""))
    if name not in SHELLS:
        raise click.UsageError(f"name the shell: {', '.join(SHELLS)}")
    kind = get_completion_class(name)
    assert kind is not None
    click.echo(kind(context.find_root().command, {}, "bestmove", "_BESTMOVE_COMPLETE").source())
