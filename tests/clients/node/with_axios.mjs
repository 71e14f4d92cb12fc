// GETs a URL so many times, one after another, and prints each final status.
import axios from "axios";
import axiosRetry from "axios-retry";

const [url, times] = process.argv.slice(2);
const client = axios.create({ proxy: false });
axiosRetry(client, { retries: 3, retryDelay: axiosRetry.exponentialDelay });
for (let i = 0; i < Number(times); i++) {
  console.log((await client.get(url)).status);
}
