// The wire between flower and the scripted API: a TCP relay that can be cut, taken down, or held in the middle of an
// answer. It knows nothing of what it carries.
import { connect, createServer } from "node:net";

/** How long the parts of one answer may lie apart, milliseconds. */
const GATHER_MS = 60;

/** A relay on a port of its own. */
export class Wire {
  #server;
  #target;
  #port = 0;
  #pairs = new Set();
  #half;
  /** Connections that were opened since the start. */
  opened = 0;

  static async start(targetPort) {
    const wire = new Wire();
    wire.#target = targetPort;
    await wire.up();
    return wire;
  }

  get url() {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Listen, on the same port as before. */
  async up() {
    this.#server = createServer((socket) => this.#relay(socket));
    await new Promise((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(this.#port, "127.0.0.1", resolve);
    });
    this.#port = this.#server.address().port;
  }

  /** Refuse every connection from now on, and cut those there are. */
  async down() {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.cut();
    await closed;
  }

  /** Cut every connection. */
  cut() {
    for (const { near, far } of this.#pairs) {
      near.destroy();
      far.destroy();
    }
    this.#pairs.clear();
  }

  /**
   * Let half of the next answer through and hold the rest.
   * @returns resolves with a function that lets the rest go.
   */
  half() {
    return new Promise((resolve) => {
      this.#half = resolve;
    });
  }

  #relay(near) {
    this.opened += 1;
    const far = connect(this.#target, "127.0.0.1");
    const pair = { near, far };
    this.#pairs.add(pair);
    const end = () => {
      this.#pairs.delete(pair);
      near.destroy();
      far.destroy();
    };
    for (const socket of [near, far]) {
      socket.on("error", end);
      socket.on("close", end);
    }
    near.pipe(far);
    let held;
    far.on("data", (chunk) => {
      if (held !== undefined) held.push(chunk);
      else if (this.#half === undefined) near.write(chunk);
      else {
        held = [chunk];
        const reached = this.#half;
        this.#half = undefined;
        setTimeout(() => {
          const all = Buffer.concat(held);
          const middle = Math.floor(all.length / 2);
          near.write(all.subarray(0, middle));
          held = [all.subarray(middle)];
          reached(() => {
            if (held !== undefined) near.write(Buffer.concat(held));
            held = undefined;
          });
        }, GATHER_MS);
      }
    });
  }
}
