import type { Datastore } from '../datastore/port/datastore.ts';
import { installationDocument } from '../documents/kinds/installation.ts';
import type { RouteModule } from '../http/route-access.ts';
import { DEFAULT_ACTIONS, readActions } from './completion/actions.ts';
import { DEFAULT_TAG_SAFELIST } from './safelist/default-tag-safelist.ts';
import { readTagSafelist } from './safelist/tag-safelist.ts';
import { ComponentStatus } from './system/component-status.ts';
import { systemRoutes } from './system/system-routes.ts';
import { systemTextRoutes } from './system/system-text-routes.ts';
import { SystemValues } from './system/system-values.ts';

export type SystemParts = ReturnType<typeof openSystem>;

/** Opens what administrators change while the program runs. */
export function openSystem({ datastore }: { readonly datastore: Pick<Datastore, 'collection'> }) {
  const values = new SystemValues({ facts: datastore.collection(installationDocument) });
  return { values, components: new ComponentStatus(values) };
}

/** Returns the routes by which administrators change it. */
export function routesOfSystem({ values, components }: SystemParts): readonly RouteModule[] {
  return [
    systemRoutes({ values, components }),
    systemTextRoutes({
      values,
      tagSafelist: { default: DEFAULT_TAG_SAFELIST, check: readTagSafelist },
      actions: { default: DEFAULT_ACTIONS, check: readActions },
    }),
  ];
}
