// Asks the browser for a passkey, or to make one, and submits its answer with the form around the button.
//
// A form with `data-passkey="get"` or `data-passkey="create"` holds a button (`data-passkey-button`), an empty field
// `credential`, and a notice that is shown if it fails (`data-passkey-failed`). The question for the browser comes from
// the JSON that `data-options` names, or is fetched from the form's address (`data-fetch`).

(() => {
  const bytesOf = (text) => {
    const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
  };
  const textOf = (buffer) => {
    const plain = String.fromCharCode(...new Uint8Array(buffer));
    return btoa(plain).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  };
  const known = (list) => (list || []).map((each) => ({ ...each, id: bytesOf(each.id) }));

  const questionOf = async (form) => {
    if (!("fetch" in form.dataset)) return JSON.parse(document.getElementById(form.dataset.options).textContent);
    const answer = await fetch(form.action, { headers: { Accept: "application/json" } });
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    return answer.json();
  };

  const create = async (form, { creation_options: { publicKey } }) => {
    const alone = form.elements.passwordless.checked;
    const made = await navigator.credentials.create({
      publicKey: {
        ...publicKey,
        challenge: bytesOf(publicKey.challenge),
        user: { ...publicKey.user, id: bytesOf(publicKey.user.id) },
        excludeCredentials: known(publicKey.excludeCredentials),
        authenticatorSelection: {
          ...publicKey.authenticatorSelection,
          residentKey: alone ? "required" : "discouraged",
          requireResidentKey: alone,
          ...(alone ? { userVerification: "required" } : {}),
        },
      },
    });
    const { attestationObject, clientDataJSON } = made.response;
    return answered(made, {
      attestationObject: textOf(attestationObject),
      clientDataJSON: textOf(clientDataJSON),
      transports: made.response.getTransports?.() || [],
    });
  };

  const get = async (form, { request_options: { publicKey } }) => {
    const used = await navigator.credentials.get({
      publicKey: {
        ...publicKey,
        challenge: bytesOf(publicKey.challenge),
        allowCredentials: known(publicKey.allowCredentials),
      },
    });
    const { authenticatorData, clientDataJSON, signature, userHandle } = used.response;
    return answered(used, {
      authenticatorData: textOf(authenticatorData),
      clientDataJSON: textOf(clientDataJSON),
      signature: textOf(signature),
      userHandle: userHandle ? textOf(userHandle) : null,
    });
  };

  const answered = (credential, response) => ({
    id: credential.id,
    rawId: textOf(credential.rawId),
    type: credential.type,
    clientExtensionResults: credential.getClientExtensionResults(),
    response,
  });

  const start = (form) => {
    const button = form.querySelector("[data-passkey-button]");
    const failed = form.querySelector("[data-passkey-failed]");
    form.hidden = false;
    form.querySelector("[data-passkey-missing]")?.remove();
    button.disabled = false;
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      button.disabled = true;
      failed.hidden = true;
      try {
        const ask = form.dataset.passkey === "create" ? create : get;
        form.elements.credential.value = JSON.stringify(await ask(form, await questionOf(form)));
        form.submit(); // sends it as it is, without another submit event
      } catch {
        failed.hidden = false;
        button.disabled = false;
      }
    });
  };

  if (window.PublicKeyCredential && navigator.credentials) {
    document.querySelectorAll("form[data-passkey]").forEach(start);
  }
})();
