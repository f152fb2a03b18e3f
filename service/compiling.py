"""How setuptools compiles the engine: every module at the same time, on all processors.

pyproject.toml lists the modules. Those with typed memory views would each contain the same 14,000
lines of C for them; here they import these from one module, `SHARED`.
"""

import os
from typing import Final

from Cython.Build import cythonize
from setuptools import Extension
from setuptools.command.build_ext import build_ext

SHARED: Final = "bestmove.search.common.shared"


class BuildExt(build_ext):
    """Translates the modules to C and compiles them, as many at a time as there are processors."""

    def finalize_options(self) -> None:
        processors = os.cpu_count() or 1
        source = f"service/{SHARED.replace('.', '/')}.c"
        shared = Extension(SHARED, [source], extra_compile_args=["-O1", "-g0"])
        self.distribution.ext_modules = cythonize(
            [shared, *self.distribution.ext_modules],
            nthreads=processors,
            shared_utility_qualified_name=SHARED,
            quiet=True,
        )
        for module in self.distribution.ext_modules:
            module.optional = True  # without a C compiler the modules run as plain Python
        self.parallel = processors
        super().finalize_options()
