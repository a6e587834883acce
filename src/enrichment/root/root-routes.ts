import { Type } from 'typebox';
import type { RouteModule } from '../../http/route-access.ts';
import { type ListedRoute, type RouteList, versionsOf } from '../../http/route-list.ts';
import { presence } from '../../input/input-kinds.ts';
import { PreparedJson } from '../../json/sorted-json.ts';
import { ANY_CALLER } from '../any-caller.ts';
import { API_SECTIONS } from './api-sections.ts';

export interface RootRouteDependencies {
  /** Of the service itself; read at each request, so that it is complete. */
  readonly routes: RouteList;
  /** Whether audit lines are written at all. */
  readonly audit: boolean;
}

const tags = ['api'];
const SiteMapQuery = Type.Object({
  unsafe_only: presence({ description: 'Present: only the routes that anybody may call.' }),
});

/** What the interface consists of, told by the list of its own routes. Written at the first demand, when all of them are there. */
export const rootRoutes =
  ({ routes, audit }: RootRouteDependencies): RouteModule =>
  (app) => {
    const siteMap = (listed: readonly ListedRoute[]) => paths(listed).map((one) => siteMapEntry(one, audit));
    const versions = once(() => versionsOf(routes.all));
    const everyRoute = once(() => siteMap(routes.all));
    const openRoutes = once(() => siteMap(routes.all.filter(({ access }) => access === 'public')));
    const firstVersion = once(() => ({
      apis: paths(routes.all.filter(({ path }) => path.startsWith('/api/v1/'))).map(describe),
      blueprints: API_SECTIONS,
    }));

    app.get('/api/', { access: ANY_CALLER, schema: { tags, summary: 'Versions of the interface' } }, async () =>
      versions(),
    );

    app.get(
      '/api/site_map/',
      {
        access: ANY_CALLER,
        schema: { tags, summary: 'Every route and whether it needs a credential', querystring: SiteMapQuery },
      },
      async ({ query }) => (query.unsafe_only ? openRoutes() : everyRoute()),
    );

    app.get('/api/v1/', { access: ANY_CALLER, schema: { tags, summary: 'Routes of version v1' } }, async () =>
      firstVersion(),
    );
  };

function once(make: () => unknown): () => PreparedJson {
  let made: PreparedJson | undefined;
  return () => {
    made ??= new PreparedJson(make());
    return made;
  };
}

/** A path with the routes that answer there, one for each method; never empty. */
interface PathRoutes {
  readonly path: string;
  readonly first: ListedRoute;
  readonly methods: readonly string[];
}

/** Sorted by path. Routes of one path are told apart when somebody may call one without a credential and another not. */
function paths(routes: readonly ListedRoute[]): PathRoutes[] {
  const found = new Map<string, { path: string; first: ListedRoute; methods: string[] }>();
  for (const route of routes) {
    const key = `${route.path} ${route.access === 'public'}`;
    const known = found.get(key);
    if (known === undefined) found.set(key, { path: route.path, first: route, methods: [route.method] });
    else known.methods.push(route.method);
  }
  return [...found.values()].sort((left, right) => (left.path < right.path ? -1 : 1));
}

function siteMapEntry({ path, first, methods }: PathRoutes, audit: boolean) {
  const { access, operation } = first;
  return {
    function: operation,
    url: path,
    methods,
    protected: access !== 'public',
    audit: audit && access !== 'public' && access.audit === true,
  };
}

function describe({ path, first, methods }: PathRoutes) {
  return {
    name: first.summary,
    path,
    methods,
    description: first.description,
    function: first.operation,
    id: first.operation,
    protected: first.access !== 'public',
    complete: true,
  };
}
