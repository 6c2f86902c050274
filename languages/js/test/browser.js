// A headless Chromium, driven over the pipes of its debugging protocol.
import { spawn, spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The browser's program, or undefined where there is none. */
export const chromium = ["chromium", "chromium-browser", "google-chrome"].find(
  (name) => spawnSync("which", [name]).status === 0,
);

/** One page of a browser of its own. */
export class Browser {
  #process;
  #profile;
  #session;
  #asked = new Map();
  #next = 0;
  #rest = "";
  problems = [];

  static async open(url, width, height) {
    const browser = new Browser();
    await browser.#start(width, height);
    await browser.go(url);
    return browser;
  }

  async #start(width, height) {
    this.#profile = await mkdtemp(join(tmpdir(), "mixgrad-page-"));
    const options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--remote-debugging-pipe"];
    const own = [`--user-data-dir=${this.#profile}`, `--window-size=${width},${height}`, "about:blank"];
    this.#process = spawn(chromium, [...options, ...own], { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
    this.#process.stdio[4].setEncoding("utf8").on("data", (text) => this.#read(text));
    this.#process.on("exit", () => {
      for (const { reject } of this.#asked.values()) reject(new Error("the browser ended"));
    });
    const { targetInfos } = await this.#send("Target.getTargets");
    const { targetId } = targetInfos.find(({ type }) => type === "page");
    ({ sessionId: this.#session } = await this.#send("Target.attachToTarget", { targetId, flatten: true }));
    await this.ask("Page.enable");
    await this.ask("Runtime.enable");
    await this.ask("Log.enable");
    await this.ask("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: false });
  }

  #read(text) {
    const messages = (this.#rest + text).split("\0");
    this.#rest = messages.pop();
    for (const message of messages.map(JSON.parse)) {
      const { params } = message;
      if (message.method === "Runtime.exceptionThrown") this.problems.push(params.exceptionDetails.exception?.description);
      if (message.method === "Log.entryAdded" && params.entry.level === "error") this.problems.push(params.entry.text);
      const waiting = this.#asked.get(message.id);
      if (!waiting) continue;
      this.#asked.delete(message.id);
      if (message.error) waiting.reject(new Error(message.error.message));
      else waiting.resolve(message.result);
    }
  }

  #send(method, params = {}, sessionId = undefined) {
    const id = ++this.#next;
    return new Promise((resolve, reject) => {
      this.#asked.set(id, { resolve, reject });
      this.#process.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    });
  }

  ask(method, params) {
    return this.#send(method, params, this.#session);
  }

  /** Loads a page, and waits until it is there. */
  async go(url) {
    await this.ask("Page.navigate", { url });
    await this.until(`location.href === ${JSON.stringify(url)} && document.readyState === "complete"`);
  }

  /** The value of an expression of the page, which may be a promise. */
  async run(expression) {
    const { result, exceptionDetails } = await this.ask("Runtime.evaluate", {
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  async until(expression, seconds = 30) {
    for (const end = Date.now() + 1000 * seconds; Date.now() < end; ) {
      if (await this.run(expression)) return;
      await new Promise((later) => { setTimeout(later, 20); });
    }
    throw new Error(`${expression}: not so within ${seconds} s`);
  }

  /** Presses the mouse at the first point, moves along the others, lets go at the last. */
  async stroke(points) {
    const mouse = (type, [x, y], buttons) =>
      this.ask("Input.dispatchMouseEvent", { type, x, y, buttons, button: type === "mouseMoved" ? "none" : "left", clickCount: 1 });
    await mouse("mousePressed", points[0], 1);
    for (const point of points) await mouse("mouseMoved", point, 1);
    await mouse("mouseReleased", points.at(-1), 0);
  }

  /** Drops a file as if from the desktop. */
  async drop([x, y], path) {
    const data = { items: [], files: [path], dragOperationsMask: 1 };
    for (const type of ["dragEnter", "dragOver", "drop"]) await this.ask("Input.dispatchDragEvent", { type, x, y, data });
  }

  /** A PNG of what is visible. */
  async screenshot() {
    return Buffer.from((await this.ask("Page.captureScreenshot", { format: "png" })).data, "base64");
  }

  async close() {
    const ended = new Promise((done) => { this.#process.once("exit", done); });
    this.#send("Browser.close").catch(() => {});
    await ended;
    await rm(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }
}
