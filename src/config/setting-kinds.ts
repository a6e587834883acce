import { Type } from '../schema/type.ts';

/**
 * Kinds of settings. Each says what is allowed in a form that the reader checks, the message of a refusal states and
 * docs/configuration.md prints.
 */

type Described<Value> = { readonly description: string; readonly default: Value };

export const text = (options: Described<string> & { readonly pattern?: string; readonly allowed?: string }) =>
  Type.String(options);

/** A text that may be absent. */
export const optionalText = (options: { readonly description: string }) =>
  Type.Union([Type.String(), Type.Null()], { ...options, default: null });

/** An absolute address that may be absent. */
export const optionalAddress = (options: { readonly description: string }) =>
  Type.Union([Type.String(), Type.Null()], {
    ...options,
    pattern: '^https?://[^\\s/]+',
    allowed: 'an address that starts with http:// or https://',
    default: null,
  });

/** Scheme, host and port by which browsers reach a service; may be absent. */
export const optionalOrigin = (options: { readonly description: string }) =>
  Type.Union([Type.String(), Type.Null()], {
    ...options,
    pattern: '^https?://([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+\\])(:[0-9]{1,5})?/?$',
    allowed: 'an address without a path, such as https://triad.example.org',
    default: null,
  });

/** The setting `<service>.public_url`; `loadConfig` puts `http.public_url` in its place when it is absent. */
export const publicUrl = (service: string) =>
  optionalOrigin({ description: `Public URL of the ${service} service alone. Default: \`http.public_url\`.` });

export const integer = (options: Described<number> & { readonly minimum: number; readonly maximum?: number }) =>
  Type.Integer(options);

/** A whole number that may be absent. */
export const optionalWholeNumber = (options: { readonly description: string; readonly minimum: number }) =>
  Type.Union([Type.Integer(), Type.Null()], { ...options, default: null });

export const number = (options: Described<number> & { readonly minimum: number; readonly maximum?: number }) =>
  Type.Number(options);

export const onOff = (options: Described<boolean>) => Type.Boolean(options);

/** True or false, or absent. */
export const optionalOnOff = (options: { readonly description: string }) =>
  Type.Union([Type.Boolean(), Type.Null()], { ...options, default: null });

/** One of these texts. */
export const choice = <const Values extends readonly string[]>(values: Values, options: Described<Values[number]>) =>
  Type.Unsafe<Values[number]>({ enum: [...values], ...options });

export const optionalChoice = <const Values extends readonly string[]>(
  values: Values,
  options: { readonly description: string },
) => Type.Union([Type.Unsafe<Values[number]>({ enum: [...values] }), Type.Null()], { ...options, default: null });

export const textList = (options: Described<string[]>) => Type.Array(Type.String(), options);

export const port = (description: string, usual: number) =>
  integer({ description: `${description} 0: any free port.`, default: usual, minimum: 0, maximum: 65_535 });

/** `30d`, `12h`. */
export const AGE_PATTERN = '^[1-9][0-9]*(ms|s|m|h|d)$';
/** `50gb`. */
export const SIZE_PATTERN = '^[1-9][0-9]*(b|kb|mb|gb|tb|pb)$';
