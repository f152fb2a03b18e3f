import cython
compiled = cython.compiled
