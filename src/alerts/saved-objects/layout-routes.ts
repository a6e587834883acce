import { Type } from 'typebox';
import type { Overview } from '../../documents/kinds/overview.ts';
import type { Template } from '../../documents/kinds/template.ts';
import { InvalidInput } from '../../errors/errors.ts';
import type { RouteModule } from '../../http/route-access.ts';
import { converted, documentOf, field, refusing } from '../../input/input-kinds.ts';
import { savedObjectRoutes } from './saved-object-routes.ts';
import type { SavedObjects } from './saved-objects.ts';

const About = { analytic: field(Type.String()), detection: Type.Optional(field(Type.String())) };

const CONTENT = 'Sign-in from {{source.ip}}';
const wrongContent = () =>
  new InvalidInput('invalid_overview_content', 'New overview content must be a string.', { at: 'content' });
const noContent = () =>
  new InvalidInput('overview_incomplete', 'You must specify content when creating an overview!', { at: 'content' });

/** Registers `/api/v1/overview`. */
export const overviewRoutes = (objects: SavedObjects<Overview>): RouteModule =>
  savedObjectRoutes({
    objects,
    one: 'an overview',
    listSummary: 'List the overviews',
    changeSummary: 'Replace the text of an overview',
    newBody: documentOf(
      { ...About, content: refusing(field(Type.String()), noContent) },
      { examples: [{ analytic: 'Impossible Travel', content: CONTENT }] },
    ),
    changeBody: converted(
      refusing(Type.Object({ content: refusing(Type.String({ examples: [CONTENT] }), wrongContent) }), wrongContent),
      ({ content }) => ({ content }),
    ),
  });

const KEYS = ['source.ip', 'user.name'];
const wrongKeys = () => new InvalidInput('invalid_template_keys', 'List of new fields must be a list of strings.');
const noKeys = () =>
  new InvalidInput('template_incomplete', 'You must specify a list of keys when creating a template!', { at: 'keys' });

/** Registers `/api/v1/template`. */
export const templateRoutes = (objects: SavedObjects<Template>): RouteModule =>
  savedObjectRoutes({
    objects,
    one: 'a template',
    listSummary: 'List the templates that the caller may use',
    changeSummary: 'Replace the fields of a template',
    newBody: documentOf(
      {
        ...About,
        type: field(Type.Union([Type.Literal('personal'), Type.Literal('global')])),
        keys: refusing(field(Type.Array(Type.String())), noKeys),
      },
      { examples: [{ analytic: 'Impossible Travel', type: 'global', keys: KEYS }] },
    ),
    changeBody: converted(
      refusing(Type.Array(refusing(Type.String(), wrongKeys), { examples: [KEYS] }), wrongKeys),
      (keys) => ({ keys }),
    ),
  });
