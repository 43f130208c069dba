// A shared worker with one event connection for all tabs, because browsers allow only six connections to each server.
const ports = new Set();
const source = new EventSource("/live");
let state = "open";

function tell(word) {
  for (const port of ports) port.postMessage(word);
}
source.addEventListener("changed", () => tell("changed"));
source.onopen = () => {
  state = "open";
  tell("open");
  tell("changed");
};
source.onerror = () => {
  state = "away";
  tell("away");
};
onconnect = (event) => {
  const port = event.ports[0];
  ports.add(port);
  port.postMessage(state);
  port.onmessage = () => ports.delete(port);
};
