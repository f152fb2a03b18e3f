# What `import` is to the uncompiled search: here the C declaration of the class it builds on.
from bestmove.search.gomoku.threats cimport ThreatSearch
