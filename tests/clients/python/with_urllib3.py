"""GET a URL so many times, one after another, and print each final status."""

import sys

import urllib3
from urllib3.util import Retry

url, times = sys.argv[1], int(sys.argv[2])
retries = Retry(total=3, status_forcelist=[429], respect_retry_after_header=True)
pool = urllib3.PoolManager(retries=retries)
for _ in range(times):
    print(pool.request("GET", url).status)
