"""Compiles the engine for setuptools: all modules at the same time, on all processors.

pyproject.toml lists the modules. Cython would copy its 14,000 lines of C for memory views into each
module that uses typed memory views. Here only `SHARED` contains them, and the others import it.
"""

import os
from typing import Final

from Cython.Build import cythonize
from setuptools import Extension
from setuptools.command.build_ext import build_ext

SHARED: Final = "bestmove.search.common.shared"


class BuildExt(build_ext):
    """Translates the modules to C and compiles as many at a time as there are processors."""

    def finalize_options(self) -> None:
        processors = os.cpu_count() or 1
        source = f"service/{SHARED.replace('.', '/')}.c"
        shared = Extension(SHARED, [source], extra_compile_args=["-O0", "-g0"])
        self.distribution.ext_modules = cythonize(
            [shared, *self.distribution.ext_modules],
            nthreads=processors,
            shared_utility_qualified_name=SHARED,
            # Generate no code for pickling and no comments: the C compiler would need twice the
            # time.
            compiler_directives={"auto_pickle": False, "emit_code_comments": False},
            quiet=True,
        )
        # Largest modules first: a large module at the end would leave other processors idle.
        self.distribution.ext_modules.sort(key=lambda module: -os.path.getsize(module.sources[0]))
        for module in self.distribution.ext_modules:
            # Compiled modules check no assertions. Plain Python and tests/search/checkedbuild.py
            # do.
            module.define_macros.append(("CYTHON_WITHOUT_ASSERTIONS", None))
            module.optional = True  # without a C compiler the modules run as plain Python
        self.parallel = processors
        super().finalize_options()
