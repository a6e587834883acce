/** What a provider sends the browser back with, by its names (RFC 6749 section 4.1.2, RFC 9207). */
export interface ProviderAnswer {
  readonly code?: string | undefined;
  readonly state?: string | undefined;
  readonly iss?: string | undefined;
  readonly error?: string | undefined;
  readonly error_description?: string | undefined;
}

/** Whether a provider sent the browser here. */
export function isAnswered({ code, error }: ProviderAnswer): boolean {
  return code !== undefined || error !== undefined;
}
