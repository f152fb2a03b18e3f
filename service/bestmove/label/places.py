"""Files and folders, on this machine or at an address that fsspec supports."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

import fsspec
from fsspec.core import url_to_fs
from fsspec.implementations.local import LocalFileSystem

from bestmove.errors import InvalidInput

try:
    import fcntl
except ModuleNotFoundError:  # Windows
    fcntl = None  # type: ignore[assignment]

_STAMPS: Final = ("ETag", "etag", "mtime", "LastModified", "last_modified", "created")
"""Keys of `fs.info` for the entity tag or the time of change. File systems use different keys."""


@dataclass(frozen=True)
class Place:
    """A file or a folder: a file system of fsspec, and a path in it."""

    fs: fsspec.AbstractFileSystem
    path: str

    @classmethod
    def at(cls, address: str) -> Place:
        """Return the place at an address, or at a path on this machine.

        Raises:
            InvalidInput: the kind of address is unknown, or its Python package is missing.
        """
        try:
            fs, path = url_to_fs(address)
        except (ValueError, ImportError) as error:
            raise InvalidInput(f"{address}: {error}", "input") from error
        return cls(fs, path.rstrip("/") or path)

    def below(self, name: str) -> Place:
        return Place(self.fs, f"{self.path}/{name}")

    @property
    def name(self) -> str:
        return self.path.rpartition("/")[2]

    def exists(self) -> bool:
        return bool(self.fs.exists(self.path))

    def is_folder(self) -> bool:
        return bool(self.fs.isdir(self.path))

    def names(self) -> list[str]:
        """Return the sorted names in this folder. A missing folder has none."""
        try:
            found = self.fs.ls(self.path, detail=False, refresh=True)
        except FileNotFoundError:
            return []
        inside = (path.rstrip("/") for path in found)
        # Object stores may list a folder among its own items.
        return sorted(path.rpartition("/")[2] for path in inside if path != self.path)

    def stamp(self) -> dict[str, Any]:
        """Return the file's size, and the entity tag or the time of change.

        A later result that differs shows that the file has changed.
        """
        info = self.fs.info(self.path)
        changed = next((info[name] for name in _STAMPS if info.get(name)), None)
        return {"bytes": info.get("size"), "changed": str(changed)}

    @contextmanager
    def open(self) -> Iterator[Any]:
        with _named(self.path), self.fs.open(self.path, "rb") as file:
            yield file

    @contextmanager
    def written(self, folder: Place) -> Iterator[Any]:
        """Open this file for writing. The file is written in `folder`, and moved here when
        complete."""
        # A process id would not be unique: several containers may share the folder.
        unfinished = folder.below(f"{self.name}.{uuid4().hex}.tmp")
        for parent in {unfinished.path.rpartition("/")[0], self.path.rpartition("/")[0]}:
            self.fs.makedirs(parent or "/", exist_ok=True)
        with _named(self.path):
            try:
                with self.fs.open(unfinished.path, "wb") as file:
                    yield file
            except OSError:  # after an error such as a full disk, free the space
                with suppress(OSError):
                    unfinished.remove()
                raise
            if self._is_local():  # a power failure must not leave an empty file
                with Path(unfinished.path).open("rb+") as file:
                    os.fsync(file.fileno())
            self.fs.mv(unfinished.path, self.path)

    def lock(self) -> int | None:
        """Lock the file until the returned descriptor is closed or the process ends.

        Return None if the file cannot be locked. Only local files can be locked.

        Raises:
            BlockingIOError: another process has locked the file.
        """
        if fcntl is None or not self._is_local():
            return None
        Path(self.path).parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(self.path, os.O_WRONLY | os.O_CREAT)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(descriptor)
            if isinstance(error, BlockingIOError):
                raise
            return None  # some network file systems cannot lock files
        return descriptor

    def read(self) -> bytes:
        return bytes(self.fs.cat_file(self.path))

    def remove(self) -> None:
        self.fs.rm(self.path, recursive=True)

    def _is_local(self) -> bool:
        return isinstance(self.fs, LocalFileSystem)


@contextmanager
def _named(path: str) -> Iterator[None]:
    """Add the path to errors that name none, such as `No space left on device`."""
    try:
        yield
    except OSError as error:
        if error.filename is not None:
            raise
        raise OSError(error.errno, error.strerror or str(error), path) from error


_SKIPPED: Final = re.compile(r"(.*/)?([._]|readme|licen[cs]e|[^/]*\.md\Z)", re.IGNORECASE)


def tables_in(place: Place) -> dict[str, Place]:
    """Return the file at `place`, or all files below the folder at `place`, in a dictionary.

    The key of a file is its name, or its path relative to the folder. In a folder, READMEs,
    licences, Markdown, and names that begin with a dot or an underscore are skipped.

    Raises:
        InvalidInput: there is no table.
    """
    if not place.is_folder():
        if not place.exists():
            raise InvalidInput(f"there is no {place.path}", "input")
        return {place.name: place}
    paths = (path.removeprefix(f"{place.path}/") for path in place.fs.find(place.path))
    names = sorted(path for path in paths if not _SKIPPED.match(path))
    if not names:
        raise InvalidInput(f"there is no table in {place.path}", "input")
    return {name: place.below(name) for name in names}
