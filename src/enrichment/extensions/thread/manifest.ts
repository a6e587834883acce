import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Manifest } from 'triad/extension';
import { LineCounter, parseDocument } from 'yaml';
import { isRouteGroup } from './route-group.ts';

interface Problem {
  readonly path: readonly (string | number)[];
  readonly reason: string;
}

const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
const MODULES: ReadonlySet<string> = new Set(['init', 'routes', 'obo_module']);

/** Implements `readManifest` of `triad/extension`. */
export function readManifest(module: string): Manifest {
  const path = module.startsWith('file:') ? fileURLToPath(module) : module;
  const folder = existsSync(path) && statSync(path).isDirectory() ? path : dirname(path);
  const file = join(folder, 'manifest.yml');
  if (!existsSync(file)) throw new Error(`There is no manifest.yml in ${folder}.`);
  const counter = new LineCounter();
  const document = parseDocument(readFileSync(file, 'utf8'), { lineCounter: counter });
  const [error] = document.errors;
  if (error !== undefined) {
    const line = error.linePos?.[0].line;
    throw new Error(`${file}${line === undefined ? '' : `, line ${line}`}: ${error.message.split('\n', 1)[0]}`);
  }
  const value: unknown = document.toJS({ maxAliasCount: 100 });
  const problem = problemOf(value);
  if (problem === undefined) return withDefaults(value as Manifest);
  // The key that is missing has no line: the line is that of the nearest part that is there.
  let at = [...problem.path];
  let node = document.getIn(at, true);
  while (node === undefined && at.length > 0) {
    at = at.slice(0, -1);
    node = document.getIn(at, true);
  }
  const range = (node as { readonly range?: readonly number[] } | undefined)?.range;
  const line = counter.linePos(range?.[0] ?? 0).line;
  throw new Error(`${file}, line ${line}, ${problem.path.join('.') || 'the document'}: ${problem.reason}.`);
}

/** Checks a manifest that a program made. @throws Error that names the key */
export function checkManifest(value: unknown): Manifest {
  const problem = problemOf(value);
  if (problem !== undefined) throw new Error(`config.${problem.path.join('.')}: ${problem.reason}.`);
  return withDefaults(value as Manifest);
}

function withDefaults(manifest: Manifest): Manifest {
  return { ...manifest, features: manifest.features ?? {}, modules: manifest.modules ?? {} };
}

function problemOf(value: unknown): Problem | undefined {
  if (!isMapping(value)) return { path: [], reason: 'must be a mapping with the key name' };
  const { name, features = {}, modules = {} } = value;
  if (typeof name !== 'string' || !NAME.test(name)) {
    return { path: ['name'], reason: 'must be a name of letters, digits, _ and -, which begins with a letter' };
  }
  if (!isMapping(features)) return { path: ['features'], reason: 'must be a mapping of true and false by name' };
  const flag = Object.entries(features).find(([, on]) => typeof on !== 'boolean');
  if (flag !== undefined) return { path: ['features', flag[0]], reason: 'must be true or false' };
  if (!isMapping(modules)) return { path: ['modules'], reason: 'must be a mapping' };
  const unknown = Object.keys(modules).find((key) => !MODULES.has(key));
  if (unknown !== undefined) {
    return { path: ['modules', unknown], reason: `is not known. Allowed: ${[...MODULES].join(', ')}` };
  }
  return problemOfModules(modules);
}

function problemOfModules({ init, routes = [], obo_module: obo }: Readonly<Record<string, unknown>>) {
  const reference = 'must be a reference such as name.module:function';
  if (init !== undefined && init !== null && !isReference(init))
    return { path: ['modules', 'init'], reason: reference };
  if (routes !== null && !Array.isArray(routes)) return { path: ['modules', 'routes'], reason: 'must be a list' };
  const wrong = (routes ?? []).findIndex((one) => !(isRouteGroup(one) || (typeof one === 'string' && one !== '')));
  if (wrong !== -1) return { path: ['modules', 'routes', wrong], reason: 'must be the name of a route module' };
  if (obo === undefined || obo === null || typeof obo === 'boolean' || isReference(obo)) return undefined;
  return { path: ['modules', 'obo_module'], reason: `must be true, false or a reference: it ${reference}` };
}

function isReference(value: unknown): boolean {
  return typeof value === 'function' || (typeof value === 'string' && value !== '');
}

function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
