// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The commands about tools: which there are, and the file that does each, loaded only then.
import type { Command } from "commander";

type Run = (work: (signal: AbortSignal) => Promise<number> | number) => Promise<void>;

/** What is no command of a group arrives as an argument of the one that stands for the group. */
export function refuseStray({ args: [stray] }: Command, group: Command): void {
  if (stray !== undefined) group.error(`error: unknown command '${stray}'`);
}

export function addToolCommands(program: Command, run: Run): void {
  const tools = program
    .command("tools")
    .description("the tools that the assistant may use: list, check, run, accept, add");
  tools
    .command("list", { isDefault: true })
    .description("list the tools and MCP servers, and what is wrong with those that are not ready")
    .allowExcessArguments()
    .action((_, command: Command) => {
      refuseStray(command, tools);
      return run(async (signal) => (await import("./tool-list.ts")).list(signal));
    });
  tools
    .command("check")
    .description("look at all of them anew and print the faults (exit status 1: there are some)")
    .action(() => run(async (signal) => (await import("./tool-list.ts")).check(signal)));
  tools
    .command("run <name> [arguments...]")
    .description("run a tool and print exactly what the model would read")
    .option("--json", "print the whole result as one line of JSON")
    .option("-y, --yes", "run it without asking, even if it changes something")
    .addHelpText(
      "after",
      "\nThe arguments are one JSON object; - reads them from standard input:\n" +
        `  desktop-assistant tools run calc '{"expression": "2+2"}'\n\n` +
        "Exit status: 0 fine, 1 the tool failed or was refused, 2 arguments that are no JSON\n" +
        "object, 130 stopped by Ctrl-C.",
    )
    // A shell takes arguments apart that stand in no quotes.
    .action((name: string, given: string[], options: { json?: boolean; yes?: boolean }) =>
      run(async (signal) => {
        const { runTool } = await import("./tool-run.ts");
        return runTool(name, given, options, signal);
      }),
    );
  tools
    .command("accept <name>")
    .description("take a changed MCP tool, or all of a server, as it is now")
    .action((name: string) =>
      run(async (signal) => (await import("./tool-list.ts")).accept(name, signal)),
    );
  tools
    .command("add [name]")
    .description("copy an example tool into your tools folder; without a name: list the examples")
    .option("-f, --force", "overwrite files that are there")
    .action((name: string | undefined, options: { force?: boolean }) =>
      run(async () => {
        const { addTool, listExamples } = await import("./tools.ts");
        return name === undefined ? listExamples() : addTool(name, options);
      }),
    );
}
