import { Type } from 'typebox';
import { type BadlistItem, badlistDocument } from '../../documents/kinds/analysis/badlist.ts';
import { wholeOutput } from '../../documents/schema/whole-output.ts';
import { pathParameters } from '../../http/input/input-schemas.ts';
import type { RouteModule } from '../../http/route-access.ts';
import { listAccess } from '../lists/list-routes.ts';
import { Anything, EXAMPLE_IDS, operation, Success } from '../operations/analysis-operation.ts';
import type { BadlistService } from './badlist-service.ts';

const ByTlsh = pathParameters({
  qhash: ['TLSH of a file.', 'T1E0B0128F7DCB18D4E8E4D09C14A5E6C0F1B8F3A0C5F1E1D3C9A0B1C2D3E4F5A6B7C8D9'],
});
const BySsdeep = pathParameters({ '*': ['ssdeep of a file.', '3:AXGBicFlgVNhBGcL6wCrFQEv:AXGHsNhxLsr2C'] });
const ByAttribution = pathParameters({
  qhash: ['Identifier of the entry.', EXAMPLE_IDS.file],
  attrib_type: ['Kind of attribution, such as `actor` or `family`.', 'actor'],
  value: ['Name of the actor, family or the like.', 'SNAIL'],
});
const Entries = Type.Array(Anything);
const { view, manage } = listAccess('badlist');

/** Serves what the badlist alone has: similar files and attributions (contract/analysis.md section 6). */
export const badlistRoutes =
  ({ badlist }: { readonly badlist: BadlistService }): RouteModule =>
  (app) => {
    app.get(
      '/api/v4/badlist/ssdeep/*',
      {
        access: view,
        wildcard: 'qhash',
        schema: operation('badlist_find_similar_ssdeep', 'Find malicious files with a similar ssdeep', {
          params: BySsdeep,
          reply: Entries,
        }),
        refusal: null,
      },
      async ({ actor, params }) =>
        shown(await badlist.similarSsdeep(params['*'].replace(/\/$/, ''), actor.searchAccess)),
    );
    app.get(
      '/api/v4/badlist/tlsh/:qhash/',
      {
        access: view,
        schema: operation('badlist_find_similar_tlsh', 'Find malicious files with a similar TLSH', {
          params: ByTlsh,
          reply: Entries,
        }),
        refusal: null,
      },
      async ({ actor, params: { qhash } }) => shown(await badlist.similarTlsh(qhash, actor.searchAccess)),
    );
    app.put(
      '/api/v4/badlist/attribution/:qhash/:attrib_type/:value/',
      {
        access: manage,
        schema: operation('badlist_add_attribution', 'Say who is behind a malicious thing', {
          params: ByAttribution,
          reply: Success,
        }),
        refusal: null,
      },
      ({ actor, params: { qhash, attrib_type: type, value } }) => badlist.attribute(actor, qhash, type, value),
    );
    app.delete(
      '/api/v4/badlist/attribution/:qhash/:attrib_type/:value/',
      {
        access: manage,
        schema: operation('badlist_remove_attribution', 'Take back who is behind a malicious thing', {
          params: ByAttribution,
          reply: Success,
        }),
        refusal: null,
      },
      ({ actor, params: { qhash, attrib_type: type, value } }) => badlist.removeAttribution(actor, qhash, type, value),
    );
  };

function shown(entries: readonly BadlistItem[]): readonly BadlistItem[] {
  return entries.map((entry) => wholeOutput(badlistDocument, entry));
}
