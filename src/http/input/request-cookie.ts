import { parseCookie } from 'cookie';
import type { FastifyRequest } from 'fastify';

/** The value of a cookie that the request brings; undefined without it. */
export function requestCookie({ headers }: FastifyRequest, name: string): string | undefined {
  return headers.cookie === undefined ? undefined : parseCookie(headers.cookie)[name];
}
