import math
import os.path as p
from math import pi, sqrt as root

r = root(16)
s = round(pi * math.floor(2.5), 3)
