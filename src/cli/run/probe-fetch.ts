// The probe goes the way the run will go: through the proxy, where the environment names one.

/** A fetch that honours `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`; nothing where none is set. */
export async function probeFetch(
  env: Readonly<Record<string, string>>,
): Promise<{ readonly fetch?: typeof globalThis.fetch }> {
  if (!Object.keys(env).some((name) => /^https?_proxy$/i.test(name) && env[name] !== "")) return {};
  const { EnvHttpProxyAgent, fetch } = await import("undici");
  const dispatcher = new EnvHttpProxyAgent();
  const through = (url: string, init: object) => fetch(url, { ...init, dispatcher });
  return { fetch: through as unknown as typeof globalThis.fetch };
}
