// The environment of a goal's command: an allow list, so that a credential nobody thought of is not in it.

import { delimiter, isAbsolute, join, parse, resolve } from "node:path";
import { type Environment, givenValue } from "../config/variables.ts";
import { isInside } from "../core/paths.ts";

/** What the system, toolchains and a display need to be found. None is a credential or a place where one is asked for. */
const HANDED_ON: readonly string[] = [
  // HOME stays the person's: without it rustup, nvm, Go and pip find nothing that is installed.
  ...["HOME", "USER", "LOGNAME", "SHELL", "TZ", "TMPDIR", "TEMP", "TMP"],
  ...["XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR"],
  ...["DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY"],
  ...["NVM_DIR", "VOLTA_HOME", "PNPM_HOME", "VIRTUAL_ENV", "CONDA_PREFIX", "PYENV_ROOT", "RBENV_ROOT"],
  ...["GEM_HOME", "GEM_PATH", "CARGO_HOME", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN"],
  ...["GOPATH", "GOROOT", "GOCACHE", "GOMODCACHE", "JAVA_HOME", "DOTNET_ROOT"],
  ...["ANDROID_HOME", "ANDROID_SDK_ROOT", "SDKROOT", "DEVELOPER_DIR", "LD_LIBRARY_PATH", "PKG_CONFIG_PATH"],
  ...["SystemRoot", "SystemDrive", "ComSpec", "PATHEXT", "USERPROFILE", "APPDATA", "LOCALAPPDATA"],
  ...["ProgramFiles", "ProgramData", "windir"],
];

/**
 * The folders of a PATH that a command may find its programs in. Those inside the work are left out, as are relative
 * ones: a worker's own file must not stand in for `node`. A virtual environment the person has chosen stays.
 */
function searchPath(env: Environment, folder: string): string {
  const chosen = ["VIRTUAL_ENV", "CONDA_PREFIX"]
    .map((name) => givenValue(env, name))
    .filter((path) => path !== undefined)
    .flatMap((path) => [join(path, "bin"), join(path, "Scripts")]);
  const work = resolve(folder);
  // Where all of the machine is the work, nothing outside it is left to find a program in.
  const isWholeMachine = work === parse(work).root;
  return (env.PATH ?? env.Path ?? "")
    .split(delimiter)
    .filter((entry) => isAbsolute(entry))
    .filter((entry) => {
      const path = resolve(entry);
      return chosen.includes(path) || isWholeMachine || !isInside(path, work);
    })
    .join(delimiter);
}

/** The whole environment a command of the goal gets, made from flower's own. */
export function commandEnvironment(env: Environment, folder: string): Readonly<Record<string, string>> {
  const kept: Record<string, string> = {};
  for (const name of HANDED_ON) {
    const value = Object.hasOwn(env, name) ? env[name] : undefined;
    if (value !== undefined) kept[name] = value;
  }
  // One language for all: what is compared must not depend on the person's, and refusals are recognised in English.
  const locale = process.platform === "darwin" ? "en_US.UTF-8" : "C.UTF-8";
  return { ...kept, PATH: searchPath(env, folder), LANG: locale, LC_ALL: locale, TERM: "dumb" };
}
