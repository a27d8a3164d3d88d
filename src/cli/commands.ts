// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The commands of the command line: which there are, and the file that does each, loaded only then.
import { Command, CommanderError, InvalidArgumentError } from "commander";
import { isAbort, ReadableError } from "../errors.ts";
import { complain, endSignal, interrupted, out, quietPipes } from "./terminal.ts";
import { addToolCommands, refuseStray } from "./tool-commands.ts";

const usageFault = 2;

type Work = (signal: AbortSignal) => Promise<number> | number;

/** Runs a command and sets the exit status; a fault is told on standard error. */
async function run(work: Work): Promise<void> {
  const signal = endSignal();
  try {
    process.exitCode = await work(signal);
  } catch (thrown) {
    if (thrown instanceof CommanderError) throw thrown;
    if (isAbort(thrown, signal)) process.exitCode = interrupted;
    else {
      complain(thrown);
      const typedWrong = thrown instanceof ReadableError && thrown.code === "arguments";
      process.exitCode = typedWrong ? usageFault : 1;
    }
  }
}

function readCount(text: string): number {
  const count = Number(text);
  if (Number.isSafeInteger(count) && count > 0) return count;
  throw new InvalidArgumentError("It must be a number, 1 or more.");
}

const program = new Command("desktop-assistant")
  .description(
    "A personal assistant for the Linux desktop. It answers with a model on your own machine.",
  )
  .helpOption("-h, --help", "show this help")
  .helpCommand("help [command]", "show the help of a command")
  .showSuggestionAfterError()
  .exitOverride();

program
  .command("start")
  .description("start the assistant in the background")
  .action(() =>
    run(async (signal) => {
      const { start } = await import("./start.ts");
      const outcome = await start({ signal });
      out(
        outcome === "started" ? "desktop-assistant has started" : "desktop-assistant runs already",
      );
      return 0;
    }),
  );

async function stopAndTell(signal: AbortSignal): Promise<void> {
  const { stop } = await import("./stop.ts");
  const words = {
    stopped: "desktop-assistant has stopped",
    killed: "desktop-assistant did not stop when asked and was killed",
    none: "desktop-assistant is not running",
  };
  out(words[await stop({ signal })]);
}

program
  .command("stop")
  .description("stop the assistant")
  .action(() =>
    run(async (signal) => {
      await stopAndTell(signal);
      return 0;
    }),
  );

program
  .command("restart")
  .description("stop the assistant if it runs, and start it")
  .action(() =>
    run(async (signal) => {
      // A mistake in the settings must not leave the person without the daemon that still runs.
      const { checkBeforeStop } = await import("./daemon.ts");
      await checkBeforeStop();
      await stopAndTell(signal);
      const { start } = await import("./start.ts");
      await start({ signal });
      out("desktop-assistant has started");
      return 0;
    }),
  );

program
  .command("status")
  .description("show the process, the model, the socket and the last lines of the log")
  .addHelpText("after", "\nExit status: 0 when it runs and answers, else 1.")
  .action(() =>
    run(async (signal) => {
      const { status } = await import("./status.ts");
      const { up, lines } = await status({ signal });
      out(lines.join("\n"));
      return up ? 0 : 1;
    }),
  );

program
  .command("daemon")
  .description("run the assistant in the foreground, its log on standard error")
  .action(async () => {
    const { runDaemon } = await import("./daemon.ts");
    await runDaemon();
  });

program
  .command("ask [text...]")
  .description("ask one question and print the answer as it comes")
  .option("--json", "print the events as lines of JSON")
  .option("-c, --continue", "go on with the newest conversation")
  .option("-y, --yes", "allow every tool call that needs your yes; each is told on standard error")
  .addHelpText(
    "after",
    "\nWhat is piped in is added to the question:\n" +
      "  desktop-assistant ask What is the capital of Peru?\n" +
      "  dmesg | tail -50 | desktop-assistant ask What went wrong here?\n\n" +
      "Exit status: 0 answered, 1 error, 2 no question, 130 stopped by Ctrl-C.",
  )
  .action(
    (
      words: string[],
      options: { json?: boolean; continue?: boolean; yes?: boolean },
      command: Command,
    ) =>
      run(async (signal) => {
        const { ask } = await import("./ask.ts");
        return (await ask(words, options, signal)) ?? command.error("error: there is no question");
      }),
  );

program
  .command("chat", { isDefault: false })
  .description("talk with the assistant in the terminal; piped in, each line is a question")
  .action(() => run(async (signal) => (await import("./chat.ts")).chat(signal)));

program
  .command("list")
  .description("list the conversations, newest first")
  .option("-n, --limit <count>", "how many", readCount, 30)
  .action((options: { limit: number }) =>
    run(async (signal) => (await import("./conversations.ts")).list(options, signal)),
  );

program
  .command("open <id>")
  .description("print a conversation; what is on somebody's screen is left alone")
  .action((id: string) =>
    run(async (signal) => (await import("./conversations.ts")).open(id, signal)),
  );

program
  .command("search <words...>")
  .description("find words in all conversations (exit status 1: nothing found)")
  .action((words: string[]) =>
    run(async (signal) => (await import("./conversations.ts")).search(words, signal)),
  );

program
  .command("delete <id...>")
  .description("delete conversations for good")
  .action((ids: string[]) =>
    run(async (signal) => (await import("./conversations.ts")).remove(ids, signal)),
  );

addToolCommands(program, run);

const model = program.command("model").description("the models: list, fetch, use, remove");
model
  .command("list", { isDefault: true })
  .description("list the models, * marks the one that is used")
  .allowExcessArguments()
  .action((_, command: Command) => {
    refuseStray(command, model);
    return run(async (signal) => (await import("./model.ts")).list(signal));
  });
model
  .command("fetch <name>")
  .description("fetch a model (and the engine if it is missing); it goes on where it stopped")
  .action((name: string) =>
    run(async (signal) => (await import("./model.ts")).fetch(name, signal)),
  );
model
  .command("use <name>")
  .description("answer with this model from now on")
  .option("--load", "load it even if another one has to make room")
  .action((name: string, options: { load?: boolean }) =>
    run(async (signal) => (await import("./model.ts")).use(name, options, signal)),
  );
model
  .command("remove <name>")
  .description("remove a fetched model from the disk")
  .action((name: string) =>
    run(async (signal) => (await import("./model.ts")).remove(name, signal)),
  );

/** What was typed wrong is answered with the help of the command that it was meant for. */
function pointToHelp(command: Command, above: string): void {
  const name = `${above}${command.name()}`;
  command.showHelpAfterError(`Type: ${name} --help`);
  for (const inner of command.commands) pointToHelp(inner, `${name} `);
}

/** Does what the arguments say; the exit status is set when it resolves. */
export async function runCommand(version: string): Promise<void> {
  quietPipes();
  program.version(version, "-V, --version", "show the version");
  pointToHelp(program, "");
  try {
    await program.parseAsync();
  } catch (thrown) {
    if (!(thrown instanceof CommanderError)) throw thrown;
    // Help and version are what was asked for; everything else was typed wrong.
    process.exitCode = thrown.exitCode === 0 ? 0 : usageFault;
  }
}
