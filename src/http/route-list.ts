import type { FastifySchema } from 'fastify';
import type { BodyReading, RouteAccess } from './route-access.ts';

/** A route as it was registered. */
export interface ListedRoute {
  readonly method: string;
  /** Path of Fastify, `/api/v1/hit/:id`. */
  readonly url: string;
  /** Path of the public system, `/api/v1/hit/<id>`. */
  readonly path: string;
  readonly access: RouteAccess;
  readonly body: BodyReading;
  /** True if the answer is inside the envelope of the service. */
  readonly enveloped: boolean;
  readonly summary: string;
  readonly description: string;
  /** Resource that it belongs to. */
  readonly tag: string;
  /** Identifier of the operation, unique in the service. */
  readonly operation: string;
  readonly schema: FastifySchema;
}

/** Lists the routes of a service in the order of registration, without HEAD and OPTIONS. */
export class RouteList {
  readonly #routes: ListedRoute[] = [];
  readonly #patterns: RegExp[] = [];

  add(route: ListedRoute): void {
    this.#routes.push(route);
    this.#patterns.push(patternOf(route.url));
  }

  get all(): readonly ListedRoute[] {
    return this.#routes;
  }

  /**
   * Returns the methods of a path without HEAD and OPTIONS; none if there is no such path. The final
   * slash is `ignored`, required where it is declared (`roots`: collections of the public alert service), or has to be
   * as declared (`exact`).
   */
  methodsOf(path: string, finalSlash: 'ignored' | 'roots' | 'exact' = 'ignored'): readonly string[] {
    const withSlash = path.endsWith('/');
    const methods = new Set<string>();
    for (const [index, { url, method }] of this.#routes.entries()) {
      const isRoot = url.endsWith('/');
      if (finalSlash !== 'ignored' && isRoot && !withSlash) continue;
      if (finalSlash === 'exact' && !isRoot && withSlash && !url.endsWith('*')) continue;
      if (this.#patterns[index]?.test(path)) methods.add(method);
    }
    return [...methods];
  }
}

/** Returns the pattern of the paths of a route, with and without the final slash. */
function patternOf(url: string): RegExp {
  const source = url.replace(/\/$/, '').replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+').replace(/\*$/, '[^]+');
  return new RegExp(`^${source}/?$`);
}

/** `/api/v1/view/:viewId` → `/api/v1/view/<view_id>`; a final `*` is `<path:wildcard>`. */
export function publicPath(url: string, wildcard = 'path'): string {
  const named = url.replaceAll(/:([A-Za-z0-9_]+)/g, (_, name: string) => `<${snakeCase(name)}>`);
  return named.replace(/\*$/, `<path:${wildcard}>`);
}

/** `viewId` → `view_id` */
export function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Returns the versions of the interface that have routes, sorted: `['v1', 'v2']`. */
export function versionsOf(routes: readonly ListedRoute[]): string[] {
  const versions = routes.flatMap(({ path }) => /^\/api\/(v\d+)(?:\/|$)/.exec(path)?.[1] ?? []);
  return [...new Set(versions)].sort();
}
