"""GET a URL so many times, one after another, and print each final status."""

import sys

import requests
from requests.adapters import HTTPAdapter
from urllib3.util import Retry

url, times = sys.argv[1], int(sys.argv[2])
session = requests.Session()
session.trust_env = False
session.mount("http://", HTTPAdapter(max_retries=Retry(total=3, status_forcelist=[429])))
for _ in range(times):
    print(session.get(url, timeout=10).status_code)
