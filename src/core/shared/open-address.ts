const LOOPBACK = /^http:\/\/(?:127(?:\.\d{1,3}){3}|\[::1\]|localhost)(?::\d+)?(?:\/|$)/iu;

/** Whether what is sent to this address can be read on its way: neither HTTPS nor this machine. */
export function isOpenAddress(url: string): boolean {
  return !/^https:\/\//iu.test(url) && !LOOPBACK.test(url);
}
