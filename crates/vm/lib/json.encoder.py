# The part of `json.encoder` that is written in Python.
# Level: methods

import json


JSONEncoder = json.JSONEncoder
