// The probe goes the way the run will go: through the proxy, where the environment names one.

/** A server on this machine is never asked for through a proxy: a run does not either. */
function withLoopback(noProxy: string): string {
  return noProxy.trim() === "*" ? noProxy : [noProxy, "localhost", "127.0.0.1", "::1"].join(",");
}

/** A fetch that honours `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`; nothing where none is set. */
export async function probeFetch(
  env: Readonly<Record<string, string>>,
): Promise<{ readonly fetch?: typeof globalThis.fetch }> {
  if (!Object.keys(env).some((name) => /^https?_proxy$/i.test(name) && env[name] !== "")) return {};
  const { EnvHttpProxyAgent, fetch } = await import("undici");
  const httpProxy = env.http_proxy || env.HTTP_PROXY;
  const httpsProxy = env.https_proxy || env.HTTPS_PROXY;
  const dispatcher = new EnvHttpProxyAgent({
    ...(httpProxy ? { httpProxy } : {}),
    ...(httpsProxy ? { httpsProxy } : {}),
    noProxy: withLoopback(env.no_proxy || env.NO_PROXY || ""),
  });
  const through = (url: string, init: object) => fetch(url, { ...init, dispatcher });
  return { fetch: through as unknown as typeof globalThis.fetch };
}
