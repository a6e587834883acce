import { Type } from 'typebox';
import type { Envelope } from '../../http/answers/envelope.ts';
import { sendPacked } from '../../http/answers/packed-answer.ts';
import type { RouteModule } from '../../http/route-access.ts';
import { type ListedRoute, type RouteList, versionsOf } from '../../http/route-list.ts';
import { presence } from '../../input/input-kinds.ts';
import { PackedJson } from '../../json/packed-json.ts';
import { ANY_CALLER } from '../any-caller.ts';

export interface RootRouteDependencies {
  /** Routes of the service itself; read at each request, when the list is complete. */
  readonly routes: RouteList;
  /** True if audit lines are written at all. */
  readonly audit: boolean;
  readonly envelope: Envelope;
}

/** Sections of the interface, as clients show them in their help. */
const API_SECTIONS = {
  documentation: 'What the interface consists of',
  v1_actions: 'What sources do with values on request',
  v1_auth: 'Sign in through an identity provider',
  v1_configs: 'What the web interface has to know before a login',
  v1_fetchers: 'What sources show of a value',
  v1_lookup: 'What can be looked up, and where',
  v1_registration: 'Sources that come and go while the program runs',
  v1_static: 'Texts of the help page',
} as const;

const tags = ['api'];
const SiteMapQuery = Type.Object({
  unsafe_only: presence({ description: 'Present: only public routes.' }),
});

/** Serves the description of the interface by its own routes. */
export const rootRoutes =
  ({ routes, audit, envelope }: RootRouteDependencies): RouteModule =>
  (app) => {
    const access = ANY_CALLER;
    // Made at the first request, when the list is complete.
    let description: PackedJson | undefined;
    app.get('/api/', { access, schema: { tags, summary: 'Versions of the interface' } }, async () =>
      versionsOf(routes.all),
    );
    app.get(
      '/api/site_map/',
      {
        access,
        schema: { tags, summary: 'Every route and whether it needs a credential', querystring: SiteMapQuery },
      },
      async ({ query }) =>
        paths(routes.all)
          .filter((one) => !query.unsafe_only || one.access === 'public')
          .map((one) => siteMapEntry(one, audit)),
    );
    app.get('/api/v1/', { access, schema: { tags, summary: 'Routes of version v1' } }, async (request, reply) => {
      description ??= new PackedJson(envelope.success(describeVersion(routes), 200, []));
      return sendPacked(description, request, reply);
    });
  };

function describeVersion(routes: RouteList) {
  const apis = paths(routes.all.filter(({ path }) => path.startsWith('/api/v1/'))).map(describe);
  return { apis, blueprints: API_SECTIONS };
}

/** The first route of a path, with the methods of all its routes. */
type PathRoutes = ListedRoute & { readonly methods: readonly string[] };

/** Groups routes by path, sorted. Public and protected routes of one path are separate. */
function paths(routes: readonly ListedRoute[]): PathRoutes[] {
  const groups = Map.groupBy(routes, ({ path, access }) => `${path} ${access === 'public'}`);
  return [...groups.values()]
    .flatMap((group) => group.slice(0, 1).map((first) => ({ ...first, methods: group.map(({ method }) => method) })))
    .sort((left, right) => (left.path < right.path ? -1 : 1));
}

function siteMapEntry({ path, access, operation, methods }: PathRoutes, audit: boolean) {
  return {
    function: operation,
    url: path,
    methods,
    protected: access !== 'public',
    audit: audit && access !== 'public' && access.audit === true,
  };
}

function describe({ path, methods, summary, description, operation, access }: PathRoutes) {
  return {
    name: summary,
    path,
    methods,
    description,
    function: operation,
    id: operation,
    protected: access !== 'public',
    complete: true,
  };
}
