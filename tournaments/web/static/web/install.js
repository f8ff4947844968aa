// The button that installs the site as an app, where the browser offers it. The instructions beside it stay for the others.
(() => {
  "use strict";
  const button = document.getElementById("install");
  const installed = document.getElementById("installed");
  const standalone = window.matchMedia("(display-mode: standalone)").matches || navigator.standalone;
  const done = () => {
    button.hidden = true;
    installed.hidden = false;
  };
  if (standalone) done();
  window.addEventListener("beforeinstallprompt", (offer) => {
    offer.preventDefault(); // the browser's own bar would cover the page
    button.hidden = false;
    button.onclick = () => offer.prompt();
  });
  window.addEventListener("appinstalled", done);
})();
