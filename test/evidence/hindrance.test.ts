import { describe, expect, it } from "vitest";
import { hindranceOf } from "../../src/evidence/hindrance.ts";

function kindOf(stderr: string, more: { readonly command?: string; readonly exitCode?: number } = {}) {
  const { command = "echo x", exitCode = 1 } = more;
  const env = { PATH: process.env.PATH };
  return hindranceOf({ command, folder: "/w", env, run: { exitCode, stderr }, isHeld: false })?.kind;
}

describe("a failure for want of the network", () => {
  it.each([
    "curl: (6) Could not resolve host: example.com",
    "curl: (7) Failed to connect to 10.1.2.3 port 80 after 0 ms: Couldn't connect to server",
    "wget: unable to resolve host address ‘example.com’",
    "fatal: unable to access 'https://example.com/x.git/': Could not resolve host: example.com",
    "ssh: Could not resolve hostname example.com: Temporary failure in name resolution\nfatal: Could not read from remote repository.",
    "ssh: connect to host 10.1.2.3 port 22: Connection timed out",
    "npm error request to https://registry.npmjs.org/left-pad failed, reason: getaddrinfo EAI_AGAIN registry.npmjs.org",
    "  [cause]: Error: getaddrinfo ENOTFOUND example.com\n    errno: -3008,\n    code: 'ENOTFOUND'\n\nNode.js v20.20.2",
    "Error: connect ENETUNREACH 10.1.2.3:80 - Local (0.0.0.0:0)",
    "Error: connect ETIMEDOUT 10.1.2.3:443",
    "urllib.error.URLError: <urlopen error [Errno -3] Temporary failure in name resolution>",
    "urllib.error.URLError: <urlopen error [Errno 101] Network is unreachable>",
    "requests.exceptions.ConnectionError: NewConnectionError(\"HTTPSConnection(host='example.com', port=443): Failed to establish a new connection\")",
    "dial tcp: lookup proxy.golang.org on 10.0.0.2:53: no such host",
    "dial tcp 10.1.2.3:443: connect: connection refused",
    "Exception in thread main java.net.UnknownHostException: example.com",
    "error: failed to lookup address information: Temporary failure in name resolution",
  ])("is told from: %s", (stderr) => {
    expect(kindOf(stderr)).toBe("network");
  });

  it.each([
    "curl: (7) Failed to connect to localhost port 3000 after 0 ms: Couldn't connect to server",
    "curl: (7) Failed to connect to 127.0.0.1 port 3000 after 0 ms: Couldn't connect to server",
    "Error: connect ECONNREFUSED 127.0.0.1:3000",
    "Error: connect ECONNREFUSED ::1:3000",
    "Error: connect ENETUNREACH 127.0.0.1:3000\n  code: 'ENETUNREACH',\n  address: '127.0.0.1'",
    "dial tcp 127.0.0.1:5432: connect: connection refused",
    "dial tcp [::1]:5432: connect: connection refused",
    "AssertionError: expected 3 to equal 4",
    "Error: no such file",
    "",
  ])("is no excuse in: %s", (stderr) => {
    expect(kindOf(stderr)).toBeUndefined();
  });

  it("is told from the exit code of a program that was told to be silent, unless it asked this machine", () => {
    expect(kindOf("", { command: "curl -sf https://example.com/", exitCode: 6 })).toBe("network");
    expect(kindOf("", { command: "curl -sf http://localhost:3000/", exitCode: 7 })).toBeUndefined();
    expect(kindOf("", { command: "curl -sf https://example.com/", exitCode: 22 })).toBeUndefined();
  });

  it("is not looked for in a program that is called as what every object has", () => {
    expect(kindOf("", { command: ". ./functions; constructor && toString" })).toBeUndefined();
  });
});

describe("a program that is missing", () => {
  it("is one of the work where the whole machine is the work, and of the machine elsewhere", () => {
    const run = { exitCode: 127, stderr: "" };
    const input = { command: "/no/such/program", env: {}, run, isHeld: false };
    expect(hindranceOf({ ...input, folder: "/" })).toBeUndefined();
    expect(hindranceOf({ ...input, folder: "/w" })?.kind).toBe("program");
  });
});

describe("a failure for want of a display", () => {
  it.each([
    'xdpyinfo:  unable to open display "".',
    "_tkinter.TclError: no display name and no $DISPLAY environment variable",
    "qt.qpa.xcb: could not connect to display ",
    "Error: Can't open display: ",
    "[ERROR:ozone_platform_x11.cc] Missing X server or $DISPLAY",
    "(app:1): Gtk-WARNING **: cannot open display: ",
    'Exception in thread "main" java.awt.HeadlessException: ',
  ])("is told from: %s", (stderr) => {
    expect(kindOf(stderr)).toBe("display");
  });

  it("is none where there is a display", () => {
    const run = { exitCode: 1, stderr: "cannot open display: :0" };
    const env = { PATH: process.env.PATH, DISPLAY: ":0" };
    const input = { command: "echo x", folder: "/w", env, run, isHeld: false };
    expect(hindranceOf(input)).toBeUndefined();
  });
});
