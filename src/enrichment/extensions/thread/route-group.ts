import type {
  Answer,
  Handler,
  ProtectedHandler,
  RouteGroup as PublicRouteGroup,
  RouteOptions,
  UserHandler,
} from 'triad/extension';

/** A route of a group as its module declared it. */
export interface DeclaredRoute {
  readonly method: string;
  /** Path of the program, `/items/:data_id`. */
  readonly path: string;
  /** Name of a final `*`. */
  readonly wildcard: string | undefined;
  readonly parameters: readonly string[];
  readonly requiresLogin: boolean;
  readonly handler: Handler;
  readonly summary: string;
  readonly description: string;
}

const NAME = /^[a-z][a-z0-9_-]{0,63}$/;
const PLAIN_PART = /^[A-Za-z0-9._~-]+$/;
const PARAMETER = /^<(?:string:)?([A-Za-z_][A-Za-z0-9_]*)>$/;
const REST = /^<path:([A-Za-z_][A-Za-z0-9_]*)>$/;

/** Implements the route groups of `triad/extension`. */
class RouteGroup implements PublicRouteGroup {
  readonly name: string;
  readonly routes: DeclaredRoute[] = [];

  constructor(name: string) {
    if (typeof name !== 'string' || !NAME.test(name)) {
      throw new Error(`"${name}" is not a name of a sub-API: lower-case letters, digits, _ and - are allowed.`);
    }
    this.name = name;
  }

  get(path: string, handler: Handler | ProtectedHandler, options?: RouteOptions): this {
    return this.#add('GET', path, handler, options);
  }
  post(path: string, handler: Handler | ProtectedHandler, options?: RouteOptions): this {
    return this.#add('POST', path, handler, options);
  }
  put(path: string, handler: Handler | ProtectedHandler, options?: RouteOptions): this {
    return this.#add('PUT', path, handler, options);
  }
  patch(path: string, handler: Handler | ProtectedHandler, options?: RouteOptions): this {
    return this.#add('PATCH', path, handler, options);
  }
  delete(path: string, handler: Handler | ProtectedHandler, options?: RouteOptions): this {
    return this.#add('DELETE', path, handler, options);
  }

  #add(method: string, path: string, given: Handler | ProtectedHandler, options: RouteOptions = {}): this {
    const handler = typeof given === 'function' ? given : given?.handler;
    if (typeof handler !== 'function') throw new Error(`The route ${method} ${path} has no handler.`);
    const requiresLogin = typeof given !== 'function';
    const { summary = `${method} ${path} of ${this.name}`, description = summary } = options;
    const declared = { ...readPath(path), method, requiresLogin, handler: handler as Handler, summary, description };
    const shape = shapeOf(declared.path);
    if (this.routes.some((other) => other.method === method && shapeOf(other.path) === shape)) {
      throw new Error(`There are two routes ${method} ${path} of ${this.name}.`);
    }
    this.routes.push(declared);
    return this;
  }
}

export type { RouteGroup };

/** Implements `createRouteGroup` of `triad/extension`. */
export function createRouteGroup(name: string): RouteGroup {
  return new RouteGroup(name);
}

export function isRouteGroup(value: unknown): value is RouteGroup {
  return value instanceof RouteGroup;
}

/** Implements `requireLogin` of `triad/extension`. */
export function requireLogin(handler: UserHandler): ProtectedHandler {
  return { requiresLogin: true, handler };
}

/** Marks answers in the envelope, so that no body of an extension is taken for one. */
const answers = new WeakSet<object>();

export function isAnswer(value: unknown): value is Answer {
  return typeof value === 'object' && value !== null && answers.has(value);
}

/** Implements `ok` of `triad/extension`. */
export function ok(data: unknown, warnings: readonly string[] = []): Answer {
  return answer({ status: 200, data, message: '', warnings });
}

/** Implements `failure` of `triad/extension`. */
export function failure(status: number, message: string, data?: unknown): Answer {
  return answer({ status, data, message, warnings: [] });
}

function answer(made: Answer): Answer {
  answers.add(made);
  return made;
}

function readPath(path: string): Pick<DeclaredRoute, 'path' | 'wildcard' | 'parameters'> {
  const parts = String(path).split('/');
  const parameters: string[] = [];
  let wildcard: string | undefined;
  const written = parts.map((part, index) => {
    const rest = REST.exec(part)?.[1];
    if (rest !== undefined && index === parts.length - 1) {
      wildcard = rest;
      return '*';
    }
    const name = PARAMETER.exec(part)?.[1];
    if (name !== undefined) parameters.push(name);
    else if (part !== '' && !PLAIN_PART.test(part)) throw new Error(`"${part}" cannot be part of the path ${path}.`);
    return name === undefined ? part : `:${name}`;
  });
  if (parts[0] !== '' || parts.slice(1, -1).includes('')) {
    throw new Error(`The path "${path}" must begin with a slash and have no empty parts.`);
  }
  return { path: written.join('/'), wildcard, parameters };
}

function shapeOf(path: string): string {
  return path.replaceAll(/:[^/]+/g, ':').replace(/\/$/, '');
}
