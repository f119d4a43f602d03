# The part of `numpy.linalg` that is written in Python.

import numpy


LinAlgError = numpy.LinAlgError
