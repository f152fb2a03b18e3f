"""Reads the environment variables for connections, so that both clients follow the same ones.

docs/python.md lists them.
"""

from __future__ import annotations

import os
import re
import ssl
from netrc import NetrcParseError
from typing import Final
from urllib.parse import urlsplit

from certifi import where  # requests needs certifi
from requests.utils import get_environ_proxies, get_netrc_auth

from bestmove.errors import ServiceUnreachable

TRUSTED: Final = ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_FILE", "SSL_CERT_DIR")
"""The first of these variables that is set names the certificates to trust: a file or a folder."""


class Environment:
    """How the environment variables say to connect to a service.

    Attributes:
        proxy: the address of the proxy; None for a direct connection.
        through: names the proxy and its variable in messages.
        login: the user name and the password from the file in `NETRC` or `~/.netrc`.
        trusted: the path of the certificates to trust.
        tls: a context that trusts them; without TLS, a context that trusts nobody.

    Raises:
        ServiceUnreachable: a variable is invalid.
    """

    def __init__(self, url: str) -> None:
        self.through, self.trusted = "", where()
        self.tls = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        variable = "NETRC or ~/.netrc"
        try:
            named = urlsplit(url).username
            self.login = None if named else get_netrc_auth(url, "NETRC" in os.environ)
            variable, self.proxy = _find_proxy(url)
            if self.proxy:
                at = urlsplit(self.proxy)
                host = f"{at.hostname}:{at.port or ''}".rstrip(":")
                self.through = f" through the proxy {host} ({variable})"
            if "https" in (urlsplit(url).scheme, urlsplit(self.proxy or "").scheme):
                variable = "SSLKEYLOGFILE"
                open(os.environ.get(variable) or os.devnull, "ab").close()
                variable = next(filter(os.environ.get, TRUSTED), "")
                self.trusted = os.environ.get(variable) or self.trusted
                folder = self.trusted if os.path.isdir(self.trusted) else None
                file = None if folder else self.trusted
                self.tls = ssl.create_default_context(cafile=file, capath=folder)
        except (NetrcParseError, OSError, ValueError) as error:
            raise ServiceUnreachable(f"{url}: {variable}: {error}") from error


def _find_proxy(url: str) -> tuple[str, str | None]:
    """Return the name of the variable, and the proxy if there is one."""
    direct = os.environ.get("no_proxy") or os.environ.get("NO_PROXY", "")
    proxies = get_environ_proxies(url, re.sub(r"[\[\]]|:\*", "", direct) or None)
    scheme = urlsplit(url).scheme
    name = scheme if proxies.get(scheme) else "all"
    proxy = proxies.get(name) or None
    return f"{name}_proxy", f"http://{proxy}" if proxy and "://" not in proxy else proxy
