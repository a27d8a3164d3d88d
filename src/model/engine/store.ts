// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The folder of model files: what the catalog knows, and what the person has put there.
import { readdirSync, statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { ReadableError, systemCode } from "../../errors.ts";
import { type CatalogModel, firstChoice, fits } from "./catalog.ts";
import type { Machine } from "./machine.ts";

/** A model file that can be started. */
export type StoredModel = {
  name: string;
  path: string;
  size: number;
  memory: number;
  context: number;
};

const ending = ".gguf";

function sizeOf(path: string): number | null {
  const seen = statSync(path, { throwIfNoEntry: false });
  return seen?.isFile() ? seen.size : null;
}

export class Store {
  readonly folder: string;
  readonly catalog: readonly CatalogModel[];

  constructor(folder: string, catalog: readonly CatalogModel[]) {
    this.folder = folder;
    this.catalog = catalog;
  }

  pathOf(name: string): string {
    return join(this.folder, `${name}${ending}`);
  }

  known(name: string): CatalogModel | undefined {
    return this.catalog.find((model) => model.name === name);
  }

  /** Names of files that the person put there. */
  own(): string[] {
    let names: string[];
    try {
      names = readdirSync(this.folder);
    } catch (fault) {
      if (systemCode(fault) === "ENOENT") return [];
      throw fault;
    }
    return names
      .filter((name) => name.endsWith(ending))
      .map((name) => name.slice(0, -ending.length))
      .filter((name) => this.known(name) === undefined)
      .sort();
  }

  /** The file of that name; null when it is not on disk (or no plain name). */
  find(name: string): StoredModel | null {
    if (name.includes("/")) return null;
    const path = this.pathOf(name);
    const size = sizeOf(path);
    if (size === null) return null;
    const { memory = size, context = 8_192 } = this.known(name) ?? {};
    return { name, path, size, memory, context };
  }

  /** The best automatic model on disk, those that fit the machine first; null when there is none. */
  best(machine: Machine | null): StoredModel | null {
    const here = this.catalog.filter((model) => model.automatic && this.find(model.name));
    const first = machine === null ? undefined : here.find((model) => fits(model, machine));
    const chosen = first ?? here.at(-1);
    return chosen === undefined ? null : this.find(chosen.name);
  }

  /** The model to fetch when nothing is on disk and nobody named one. */
  toFetch(machine: Machine): CatalogModel {
    const model = firstChoice(this.catalog, machine);
    if (model) return model;
    throw new ReadableError("no_model", "the catalog holds no model for this machine");
  }

  unknown(name: string): ReadableError {
    const names = [...this.catalog.map((model) => model.name), ...this.own()];
    return new ReadableError("no_model", `there is no model ${name}`, {
      hint: `Known are: ${names.join(", ")}.`,
    });
  }

  /** Removes the file and what an unfinished download left of it. */
  async remove(name: string): Promise<void> {
    const path = this.pathOf(name);
    for (const one of [path, `${path}.partial`, `${path}.partial.json`])
      await rm(one, { force: true });
  }

  /** True when a download of it was begun. */
  begun(name: string): boolean {
    return sizeOf(`${this.pathOf(name)}.partial`) !== null;
  }
}
