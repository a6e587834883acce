import { Type } from 'typebox';
import type { RouteModule } from '../../http/route-access.ts';
import { type ListedRoute, type RouteList, versionsOf } from '../../http/route-list.ts';
import { presence } from '../../input/input-kinds.ts';
import { PreparedJson } from '../../json/sorted-json.ts';
import { ANY_CALLER } from '../any-caller.ts';

export interface RootRouteDependencies {
  /** Routes of the service itself; read at each request, when the list is complete. */
  readonly routes: RouteList;
  /** True if audit lines are written at all. */
  readonly audit: boolean;
}

/** Sections of the interface, as clients show them in their help. */
const API_SECTIONS = {
  documentation: 'What the interface consists of',
  v1_auth: 'Sign in through an identity provider',
  v1_configs: 'What the web interface has to know before a login',
  v1_lookup: 'What can be looked up, and where',
  v1_static: 'Texts of the help page',
} as const;

const tags = ['api'];
const SiteMapQuery = Type.Object({
  unsafe_only: presence({ description: 'Present: only public routes.' }),
});

/** Serves the description of the interface by its own routes, written at the first request. */
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
    const access = ANY_CALLER;

    app.get('/api/', { access, schema: { tags, summary: 'Versions of the interface' } }, async () => versions());
    app.get(
      '/api/site_map/',
      {
        access,
        schema: { tags, summary: 'Every route and whether it needs a credential', querystring: SiteMapQuery },
      },
      async ({ query }) => (query.unsafe_only ? openRoutes() : everyRoute()),
    );
    app.get('/api/v1/', { access, schema: { tags, summary: 'Routes of version v1' } }, async () => firstVersion());
  };

function once(make: () => unknown): () => PreparedJson {
  let made: PreparedJson | undefined;
  return () => {
    made ??= new PreparedJson(make());
    return made;
  };
}

/** A path with its routes, one for each method; never empty. */
interface PathRoutes {
  readonly path: string;
  readonly first: ListedRoute;
  readonly methods: readonly string[];
}

/** Groups routes by path, sorted. Public and protected routes of one path are separate. */
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
