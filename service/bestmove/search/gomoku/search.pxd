# What `import` is to the uncompiled search: here C constants, and the class it builds on.
from bestmove.search.gomoku.position cimport COUNT_BITS, NUMBER, NUMBER_BITS
from bestmove.search.gomoku.threats cimport ThreatSearch
