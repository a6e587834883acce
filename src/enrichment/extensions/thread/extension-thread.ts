import { readFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import { parentPort, workerData } from 'node:worker_threads';
import type { GetOboToken, Initialize, Manifest, Reply, Request } from 'triad/extension';
import { log, reserveTypes, send } from './extension-api.ts';
import { checkManifest, readManifest } from './manifest.ts';
import type {
  DescribedGroup,
  LoadedConfig,
  LoadingStep,
  RouteAnswer,
  RouteCall,
  ThreadCall,
  ThreadStart,
} from './messages.ts';
import { type ExtensionPlace, loadModule, resolveReference, resolveRoutes } from './references.ts';
import { isAnswer, isRouteGroup, type RouteGroup } from './route-group.ts';

// Runs one extension in its own thread, so that its errors and endless loops affect nothing else.
const start = workerData as ThreadStart;
const API = new URL('./extension-api.ts', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'triad/extension' ? { url: API, shortCircuit: true } : next(specifier, context),
  // Node strips no types below node_modules, where extensions are that were installed as packages.
  load: (url, context, next) => {
    if (!/\/node_modules\/.*\.m?ts$/.test(url)) return next(url, context);
    const source = stripTypeScriptTypes(readFileSync(fileURLToPath(url), 'utf8'));
    return { format: 'module', source, shortCircuit: true };
  },
});

Object.defineProperty(process, 'exit', {
  value: (status: unknown) => {
    throw new Error(`An extension cannot end the program: exit(${status ?? ''}) is refused.`);
  },
});
process.on('uncaughtException', (error) => send({ event: 'problem', problem: describe(error) }));
process.on('unhandledRejection', (error) => send({ event: 'problem', problem: describe(error) }));

let config: Manifest | undefined;
let groups: readonly RouteGroup[] = [];
let getOboToken: GetOboToken | undefined;
reserveTypes(start.types);

parentPort?.on('message', async (message: ThreadCall & { readonly call: number }) => {
  const { call } = message;
  try {
    send({ call, result: await answerTo(message) });
  } catch (error) {
    send({ call, problem: describe(error) });
  }
});

async function answerTo(message: ThreadCall): Promise<unknown> {
  if (message.kind === 'step') return STEP[message.step]();
  if (message.kind === 'route') return answerRoute(message.request);
  if (message.kind === 'exchange') return exchange(message.service, message.token, message.user);
  return undefined;
}

const STEP: Readonly<Record<LoadingStep, () => Promise<unknown>>> = {
  config: async (): Promise<LoadedConfig> => {
    const module = await loadModule(start.folder, ['config']);
    if (module !== undefined && module.config === undefined) throw new Error('Its module config exports no config.');
    config = module === undefined ? readManifest(start.folder) : checkManifest(module.config);
    return { name: config.name, features: { ...config.features } };
  },
  init: async () => {
    const { init } = loaded().modules;
    if (init === undefined || init === null) return;
    const initialize =
      typeof init === 'function' ? init : await resolveReference(init, place(), ['initialize', 'init']);
    await (initialize as Initialize)({ version: start.version, config: loaded(), log });
  },
  routes: async (): Promise<readonly DescribedGroup[]> => {
    const found: RouteGroup[] = [];
    for (const one of loaded().modules.routes ?? []) {
      const group = typeof one === 'string' ? await resolveRoutes(one, place(), isRouteGroup) : one;
      found.push(group as RouteGroup);
    }
    groups = found;
    return found.map(({ name, routes }) => ({ name, routes: routes.map(({ handler: _, ...route }) => route) }));
  },
  obo: async (): Promise<boolean> => {
    const { obo_module: given } = loaded().modules;
    if (!given) return false;
    const reference = given === true ? `${loaded().name}.obo:get_obo_token` : given;
    const found =
      typeof reference === 'function' ? reference : await resolveReference(reference, place(), ['get_obo_token']);
    getOboToken = found as GetOboToken;
    return true;
  },
};

function loaded(): Manifest {
  if (config === undefined) throw new Error('The configuration was not read.');
  return config;
}

function place(): ExtensionPlace {
  return { names: [loaded().name, start.entry], folder: start.folder };
}

async function exchange(service: string, token: string, user: string): Promise<string | null> {
  const given = (await getOboToken?.(service, token, user)) ?? null;
  if (given === null || (typeof given === 'string' && given !== '')) return given;
  throw new Error('get_obo_token must return a string, or null.');
}

async function answerRoute({ group, route, timeout, ...request }: RouteCall): Promise<RouteAnswer> {
  const declared = groups[group]?.routes[route];
  if (declared === undefined) throw new Error('There is no such route.');
  const given: Request = { ...request, user: request.user as Request['user'], signal: AbortSignal.timeout(timeout) };
  const reply = await declared.handler(given);
  return readReply(reply);
}

function readReply(reply: Reply | undefined): RouteAnswer {
  if (isAnswer(reply)) {
    const { status, data, message, warnings } = reply;
    return { status: checkStatus(status), json: JSON.stringify(data) ?? 'null', envelope: { message, warnings } };
  }
  const isPair = Array.isArray(reply) && reply.length === 2 && Number.isInteger(reply[1]);
  const [body, status] = isPair ? (reply as [unknown, number]) : [reply, 200];
  const json = JSON.stringify(body);
  if (json === undefined) throw new Error('A handler must return JSON: a body with its status, or a body.');
  return { status: checkStatus(status), json };
}

function checkStatus(status: number): number {
  if (Number.isInteger(status) && status >= 200 && status <= 599) return status;
  throw new Error(`${status} is not a status that a handler can answer.`);
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : inspect(error);
}
