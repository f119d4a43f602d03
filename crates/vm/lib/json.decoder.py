# The part of `json.decoder` that is written in Python.
# Level: methods

import json


JSONDecodeError = json.JSONDecodeError
JSONDecoder = json.JSONDecoder
