/** The page of a host where a person opens a pull request; `undefined` for what is no such host. */
export function comparePage(remote: string, into: string, from: string): string | undefined {
  const place = placeOf(remote);
  if (place === undefined) return undefined;
  const page = `https://${place.host}/${place.repository}`;
  if (/gitlab/iu.test(place.host)) {
    const question = new URLSearchParams({
      "merge_request[source_branch]": from,
      "merge_request[target_branch]": into,
    });
    return `${page}/-/merge_requests/new?${question}`;
  }
  if (/bitbucket/iu.test(place.host))
    return `${page}/pull-requests/new?${new URLSearchParams({ source: from, dest: into })}`;
  return `${page}/compare/${encodeURI(into)}...${encodeURI(from)}?expand=1`;
}

/** `git@host:owner/name.git`, `ssh://git@host:22/owner/name`, `https://host/owner/name.git`. */
function placeOf(remote: string): { readonly host: string; readonly repository: string } | undefined {
  const url = /^(?:https?|ssh|git):\/\/(?:[^@/]*@)?([^/:]+)(?::\d+)?\/(.+)$/iu.exec(remote);
  const scp = /^(?:[^@/:]+@)?([^/:]+\.[^/:]+):(?!\/\/)(.+)$/u.exec(remote);
  const [, host, repository] = url ?? scp ?? [];
  if (host === undefined || repository === undefined) return undefined;
  return { host, repository: repository.replace(/^\/+|\/+$/gu, "").replace(/\.git$/u, "") };
}
