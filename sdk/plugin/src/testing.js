/** Starts a plugin on a free port of the loopback, for tests. */
export async function startPlugin(plugin) {
  const server = await plugin.listen(0, '127.0.0.1');
  const url = `http://127.0.0.1:${server.address().port}`;
  const request = async (path, { method = 'GET', json, token, headers = {} } = {}) => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
    const text = await answer.text();
    const isJson = answer.headers.get('content-type') === 'application/json';
    const body = isJson ? JSON.parse(text) : undefined;
    return { status: answer.status, text, data: body?.api_response, message: body?.api_error_message };
  };
  const queryOf = (query = {}) => (Object.keys(query).length === 0 ? '' : `?${new URLSearchParams(query)}`);
  const close = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(() => resolve()));
  };
  return {
    url,
    request,
    types: () => request('/types/'),
    // The enrichment service encodes values twice.
    lookup: (type, value, query, options) =>
      request(`/lookup/${type}/${encodeURIComponent(encodeURIComponent(value))}/${queryOf(query)}`, options),
    bulk: (selectors, query, options) =>
      request(`/lookup/${queryOf(query)}`, { method: 'POST', json: selectors, ...options }),
    actions: (options) => request('/actions/', options),
    runAction: (id, json, options) => request(`/actions/${id}`, { method: 'POST', json, ...options }),
    fetchers: () => request('/fetchers/'),
    runFetcher: (id, json, options) => request(`/fetchers/${id}`, { method: 'POST', json, ...options }),
    close,
    [Symbol.asyncDispose]: close,
  };
}
