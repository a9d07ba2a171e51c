const LOOPBACK = /^http:\/\/(?:127(?:\.\d{1,3}){3}|\[::1\]|localhost)(?::\d+)?(?:\/|$)/iu;

/** Whether data sent to this address can be read in transit: it is neither HTTPS nor on this machine. */
export function isOpenAddress(url: string): boolean {
  return !/^https:\/\//iu.test(url) && !LOOPBACK.test(url);
}
