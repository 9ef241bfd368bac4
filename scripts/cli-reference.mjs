// The made part of docs/cli.md: commands, examples and options as tables, from the command's own definitions. Pure.

/** Where it stands in its page. */
export const PART = { name: "reference", command: "docs:cli" };

function cell(text) {
  return text.replaceAll("|", "\\|");
}

function spelling({ long, short, metavar }) {
  const last = metavar === undefined ? long : `${long} ${metavar}`;
  return cell(short === undefined ? `\`${last}\`` : `\`${short}\`, \`${last}\``);
}

/** Names of the commands an option goes with; the shorter of the two lists. */
function withCommands(names, all) {
  if (names.length === all.length) return "all";
  const others = all.filter((name) => !names.includes(name));
  return others.length < names.length ? `all but ${others.join(", ")}` : names.join(", ");
}

function exampleLines(commands, say) {
  const examples = commands.flatMap((command) => command.examples);
  const width = Math.max(...examples.map(({ line }) => line.length));
  return examples.map(({ line, about }) => `${line.padEnd(width)}  # ${say(`help.example.${about}`)}`);
}

/** The tables. `say` gives the message of a key. */
export function cliReference({ commands, flags, say }) {
  const all = commands.map(({ name }) => name);
  return [
    "## Commands",
    "",
    "| command | does |",
    "|---|---|",
    ...commands.map(
      ({ name, syntax }) => `| \`flower ${cell(syntax)}\` | ${cell(say(`help.command.${name}`))} |`,
    ),
    "",
    "```sh",
    ...exampleLines(commands, say),
    "```",
    "",
    "## Options",
    "",
    "They may stand before or after the command.",
    "",
    "| option | with | meaning |",
    "|---|---|---|",
    ...flags.map((flag) => {
      const meaning = cell(say(`help.flag.${flag.key}`));
      return `| ${spelling(flag)} | ${withCommands(flag.commands, all)} | ${meaning} |`;
    }),
    "",
  ].join("\n");
}
