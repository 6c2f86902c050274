// Networks by the small build, in Node and in Chromium, against answers that the library wrote. Run by networks.py.
// Usage: node networks.js FOLDER NAME...; prints the largest difference and the largest answer of each, as JSON lines.
import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { serve } from "../page/serve.js";
import { Browser, chromium } from "./browser.js";

const folder = new URL(`${pathToFileURL(process.argv[2])}/`);
const names = process.argv.slice(3);

/** Also sent to the browser as text. */
async function compare(load, read, name) {
  const mx = await load();
  const asked = mx.loadArrays(await read(`${name}.asked`));
  const wanted = Object.values(mx.loadArrays(await read(`${name}.wanted`))).map((array) => array.toArray());
  const shapes = Object.fromEntries(Object.entries(asked).map(([input, array]) => [input, array.shape]));
  const text = new TextDecoder().decode(await read(`${name}.json`));
  const predictor = new mx.Predictor(text, await read(`${name}.params`), shapes);
  const inputs = Object.fromEntries(Object.entries(asked).map(([input, array]) => [input, array.toArray()]));
  const found = predictor.predict(inputs);
  const start = performance.now();
  predictor.predict(inputs);
  const ms = performance.now() - start;
  const largest = (list) => list.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const off = found.map((values, i) => largest(values.map((value, k) => value - wanted[i][k])));
  return { name, difference: Math.max(...off), largest: Math.max(...wanted.map(largest)), ms };
}

const { load } = await import("../lib/predict.js");
for (const name of names) {
  const read = async (file) => new Uint8Array(await readFile(new URL(file, folder)));
  console.log(JSON.stringify({ where: "node", ...(await compare(load, read, name)) }));
}
if (chromium) {
  const server = await serve(0, folder);
  const origin = `http://127.0.0.1:${server.address().port}`;
  for (const name of names) {
    const browser = await Browser.open(`${origin}/page/`, 800, 600);
    const found = await browser.run(`(async () => {
      const { load } = await import("/lib/predict.js");
      const read = async (file) => new Uint8Array(await (await fetch("/data/" + file)).arrayBuffer());
      return (${compare})(load, read, "${name}");
    })()`);
    console.log(JSON.stringify({ where: "chromium", ...found }));
    await browser.close();
  }
  server.close();
}
