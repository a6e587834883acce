import { type SafelistItem, safelistDocument } from '../../documents/kinds/analysis/safelist.ts';
import { wholeOutput } from '../../documents/schema/whole-output.ts';
import { NotFound } from '../../errors/errors.ts';
import { pathParameters } from '../../http/input/input-schemas.ts';
import type { RouteModule } from '../../http/route-access.ts';
import { listAccess } from '../lists/list-routes.ts';
import type { ListService } from '../lists/list-service.ts';
import { digestOf } from '../lists/listed-values.ts';
import { Anything, operation } from '../operations/analysis-operation.ts';

const BySignature = pathParameters({ signature_name: ['Name of the signature.', 'rule'] });

/** Serves what the safelist alone has: signatures (contract/analysis.md section 6). */
export const safelistRoutes =
  ({ list }: { readonly list: ListService<SafelistItem> }): RouteModule =>
  (app) => {
    app.get(
      '/api/v4/safelist/signature/:signature_name/',
      {
        access: listAccess('safelist').view,
        schema: operation('safelist_check_signature_exists', 'Get the entry of a signature on the safelist', {
          params: BySignature,
          reply: Anything,
        }),
        refusal: null,
      },
      async ({ actor, params: { signature_name: name } }) => {
        const entry = await list.get(digestOf('signature', name), actor.searchAccess);
        if (entry !== undefined) return wholeOutput(safelistDocument, entry);
        const message = 'The hash was not found in the safelist.';
        throw new NotFound('list_entry_missing', message, { response: null });
      },
    );
  };
