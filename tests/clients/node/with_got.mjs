// GETs a URL so many times, one after another, and prints each final status.
import got from "got";

const [url, times] = process.argv.slice(2);
for (let i = 0; i < Number(times); i++) {
  console.log((await got(url, { retry: { limit: 3 } })).statusCode);
}
