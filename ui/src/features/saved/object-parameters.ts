import { searchParameters, stringParameter } from '../../shell/search-parameters.ts';

/** The state of a page of saved objects in its address. */
export interface ObjectParameters {
  /** The object that is edited; `new` for another one; none: the list. */
  readonly id?: string | undefined;
  /** Words that the listed objects have. */
  readonly q?: string | undefined;
}

/** The `id` of an object that is not stored yet. */
export const NEW_OBJECT = 'new';

export const readObjectParameters = searchParameters<ObjectParameters>({ id: stringParameter(), q: stringParameter() });

/** The state of a page of templates or overviews. */
export interface LayoutParameters extends ObjectParameters {
  /** The analytic that a new object begins with. */
  readonly analytic?: string | undefined;
}

export const readLayoutParameters = searchParameters<LayoutParameters>({
  id: stringParameter(),
  q: stringParameter(),
  analytic: stringParameter(),
});
