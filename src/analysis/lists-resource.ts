import type { ClassificationEngine } from '../classification/classification.ts';
import type { Settings } from '../config/config-schema.ts';
import type { Datastore } from '../datastore/port/datastore.ts';
import { badlistDocument } from '../documents/kinds/analysis/badlist.ts';
import { safelistDocument } from '../documents/kinds/analysis/safelist.ts';
import type { RouteModule } from '../http/route-access.ts';
import { badlistRoutes } from './badlist/badlist-routes.ts';
import { BadlistService, badlistKind } from './badlist/badlist-service.ts';
import { listRoutes } from './lists/list-routes.ts';
import { ListService } from './lists/list-service.ts';
import { safelistKind } from './safelist/safelist-kind.ts';
import { SafelistLookup } from './safelist/safelist-lookup.ts';
import { safelistRoutes } from './safelist/safelist-routes.ts';
import type { SystemValues } from './system/system-values.ts';

export interface ListsDependencies {
  readonly datastore: Pick<Datastore, 'collection'>;
  readonly classification: ClassificationEngine;
  readonly settings: Pick<Settings, 'analysis'>;
  readonly values: SystemValues;
}

export type Lists = ReturnType<typeof openLists>;

/** Opens the lists of harmless and malicious things, and the look-up of safe tags and signatures. */
export function openLists({ datastore, classification, settings, values }: ListsDependencies) {
  const { expiry } = settings.analysis.core;
  const safelisted = datastore.collection(safelistDocument);
  const badlisted = datastore.collection(badlistDocument);
  const kinds = {
    safelist: safelistKind(expiry.safelisted_tag_dtl),
    badlist: badlistKind(expiry.badlisted_tag_dtl),
  };
  const safelist = new ListService({ entries: safelisted, kind: kinds.safelist, classification });
  const badlist = new ListService({ entries: badlisted, kind: kinds.badlist, classification });
  return {
    kinds,
    safelist,
    badlist,
    similar: new BadlistService({ entries: badlisted, list: badlist }),
    lookup: new SafelistLookup({ safelist: safelisted, values }),
  };
}

/** Returns the routes of both lists. */
export function routesOfLists({ kinds, safelist, badlist, similar }: Lists): readonly RouteModule[] {
  return [
    safelistRoutes({ list: safelist }),
    listRoutes({ kind: kinds.safelist, list: safelist }),
    badlistRoutes({ badlist: similar }),
    listRoutes({ kind: kinds.badlist, list: badlist }),
  ];
}
