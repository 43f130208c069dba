// One connection for all tabs of a browser, which allows only six for each place.
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
