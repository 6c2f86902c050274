// Serves the package's folder on this machine, for the page. Usage: node page/serve.js [PORT]
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";

const root = new URL("../", import.meta.url);
const types = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".mxg": "application/octet-stream",
  ".wasm": "application/wasm",
};

/** Settles with a server that listens; port 0: any that is free. `data`: URL of a folder whose files are under /data/. */
export function serve(port = 0, data = undefined) {
  const server = createServer(async (request, answer) => {
    const { pathname } = new URL(request.url, "http://127.0.0.1");
    const ofData = data !== undefined && pathname.startsWith("/data/");
    const base = ofData ? data : root;
    const url = new URL(ofData ? pathname.slice(6) : `.${pathname}${pathname.endsWith("/") ? "index.html" : ""}`, base);
    const type = types[extname(url.pathname)] ?? (ofData && "application/octet-stream");
    try {
      if (!type || !url.href.startsWith(base.href)) throw new Error("not served");
      const bytes = await readFile(url);
      answer.writeHead(200, { "content-type": type, "content-length": bytes.length }).end(bytes);
    } catch {
      answer.writeHead(404).end();
    }
  });
  return new Promise((listening) => { server.listen(port, "127.0.0.1", () => listening(server)); });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const server = await serve(Number(process.argv[2] ?? 8000));
  console.log(`http://127.0.0.1:${server.address().port}/page/`);
}
